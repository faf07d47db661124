import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import {
	knownRecords,
	type NameOutcome,
	nameByPerson,
	nameSession,
	namingRefusal,
	ownNames,
} from "../session-core/log/names.ts";
import {
	type CurrentName,
	currentName,
	nameText,
	newestName,
	previousName,
	type TitleData,
} from "../session-core/log/names-in-file.ts";
import { createScreen, type FlagValues } from "../session-core/pi/host/index.ts";
import { commonsOf, offReason, type Shared } from "../session-core/pi/index.ts";
import {
	type Candidate,
	createRequestSlot,
	describeUnusable,
	formatSpec,
	mayTitle,
	type Trigger,
} from "../session-core/pi/model/index.ts";
import { askForTitle, type FailedTitle, type TitleOutcome } from "./ask.ts";
import {
	asking,
	explainRenameFailure,
	type GuardReason,
	MAX_ATTEMPTS,
	parseRename,
	type RenameFailure,
	renameHelp,
	type TitleFacts,
	titleLines,
	titleSection,
	whyNamed,
} from "./command.ts";
import type { TitleStyle } from "./prompt.ts";
import { readingOf, type TitleReading } from "./reading.ts";

export { printMode } from "../session-core/pi/host/index.ts";
export { completeRename } from "./command.ts";

export type TitleSession = ReturnType<typeof startTitle>;

/** Starts the extension in a session, and reports invalid settings and flags once. */
export function startTitle(pi: ExtensionAPI, ctx: ExtensionContext, shared: Shared, flags: FlagValues) {
	const commons = commonsOf(shared, ctx);
	const { language, log, settings } = commons;
	const off = () => offReason("title", flags, settings.current(), process.env);
	const budget = commons.budget("title");
	const naming = { pi, manager: ctx.sessionManager };
	const screen = createScreen(ctx.ui, "session-title");
	const slot = createRequestSlot<Trigger>();
	/** An automatic title that the user has not seen yet. */
	let notice: string | undefined;
	/** Why the last request gave no title; undefined if it gave one. */
	let failed: FailedTitle | undefined;
	let isLive = true;

	const choose = () => commons.choose("title", flags);
	const automaticModels = () => choose().candidates.filter(mayTitle);

	function read(): TitleReading {
		const state = commons.state();
		if (!state) throw new Error("the session cannot be read");
		return readingOf(state.timeline, language);
	}

	/** Requests a title. `landed` is called with the title, unless another request has taken its place. */
	function request(
		by: Trigger,
		{
			reading,
			style,
			candidates,
		}: { reading: TitleReading; style: TitleStyle; candidates: readonly Candidate[] },
		landed: (made: Pick<TitleData, "title" | "model">) => void,
	): Promise<void> {
		const attempt = by === "auto" ? budget.attempts() + 1 : undefined;
		log("title.requested", { trigger: by, style, attempt, stamp: reading.stamp });
		return slot.start(
			by,
			(signal) => askForTitle({ reading, style, candidates, signal, by }, { budget, ...commons.asking }),
			(answer: TitleOutcome) => {
				if (by === "typed") screen.answered();
				failed = answer.ok ? undefined : answer;
				if (answer.ok) return landed({ title: answer.title, model: answer.model });
				const { reason, flaw, model, status, detail } = answer;
				log("title.failed", { reason, flaw, model, http: status, detail });
				if (by === "typed") fail(reason, model, answer);
			},
		);
	}

	function written(outcome: NameOutcome): boolean {
		log("title.written", { ok: outcome.ok, reason: outcome.ok ? undefined : outcome.reason });
		if (!outcome.ok) return false;
		// The notice about an older name is removed.
		notice = undefined;
		shared.live?.renamed();
		return true;
	}

	/**
	 * Returns the first reason against an automatic title, cheapest first; undefined if the session will be named after the next run. A
	 * person who removes a name has made a choice, too.
	 */
	function whyNot(): GuardReason | undefined {
		if (newestName(ownNames(naming))) return "named";
		if (slot.current) return "in_flight";
		if (budget.attempts() >= MAX_ATTEMPTS && topicOfNote() === undefined) return "attempts";
		if (naming.manager.getSessionFile() === undefined) return "not_kept";
		if (shared.isDamaged || off() !== undefined) return "off";
		if (topicOfNote() !== undefined) return namingRefusal(naming);
		if (shared.recap?.isNoting()) return "note_soon";
		const { stamp, hasTopic } = read();
		if (automaticModels().length === 0) return "no_model";
		if (stamp === undefined || budget.wasRequested(stamp)) return "asked";
		if (!hasTopic) return "no_topic";
		if (budget.isUsedUp()) return "daily_limit";
		return namingRefusal(naming);
	}

	/** Returns the topic of the note on the current state, which costs no call of its own. */
	function topicOfNote(): Required<Pick<TitleData, "title" | "model">> | undefined {
		const { shown, recap } = commons.prepared() ?? {};
		// Without a topic, a note keeps the offline headline.
		if (shown?.generator.type !== "llm" || shown.headline === recap?.headline) return undefined;
		return { title: shown.headline, model: `${shown.generator.provider}/${shown.generator.model}` };
	}

	/** Names an unnamed session, once. Failures are only logged. */
	function nameAutomatically() {
		const reason = whyNot();
		if (reason) return log("title.skipped", { reason });
		const reading = read();
		const { stamp } = reading;
		const land = (made: Pick<TitleData, "title" | "model">) => {
			const data = {
				...made,
				source: "auto" as const,
				...(stamp !== undefined && { last_message_id: stamp }),
			};
			if (!written(nameSession(naming, { data, mayReplace: () => false }))) return;
			notice = data.title;
			showNotice();
		};
		const topic = topicOfNote();
		if (topic) return land(topic);
		void request("auto", { reading, style: "title", candidates: automaticModels() }, land);
	}

	/** Shows the title once, unless the user is typing or the agent is working. The host's footer always shows the title. */
	function showNotice(): void {
		if (notice === undefined || screen.isTyped() || !ctx.isIdle()) return;
		if (newestName(ownNames(naming))?.text === notice)
			screen.show(titleLines({ title: notice, source: "auto" }));
		notice = undefined;
	}

	function nameIfIdle(): void {
		// The next run may have started. A session that cannot be read gets no title.
		if (isLive && ctx.isIdle() && commons.state()) nameAutomatically();
	}

	function fail(
		reason: RenameFailure,
		model = "",
		failure?: Parameters<typeof explainRenameFailure>[2],
	): void {
		screen.say(explainRenameFailure(reason, model, failure), "warning");
	}

	/** Aborts the request in progress, because the user does not need its answer any more. */
	function stop(): void {
		slot.drop();
		screen.answered();
	}

	/** Like `written`, for a typed command. */
	function saved(outcome: NameOutcome): boolean {
		if (!outcome.ok) fail(outcome.reason, "", outcome);
		return written(outcome);
	}

	function name(text: string) {
		const title = nameText(text);
		if (title === "") return fail("empty_name");
		stop();
		if (saved(nameByPerson(naming, title))) screen.show(titleLines({ title, source: "manual" }));
	}

	async function suggest(style: TitleStyle): Promise<void> {
		const reading = read();
		const { stamp, hasTopic } = reading;
		const { candidates } = choose();
		const [first] = candidates;
		/** The name that the user saw and asked to replace. */
		const seen = newestName(knownRecords(naming));
		const land = (made: Pick<TitleData, "title" | "model">) => {
			// The user asked for a kebab-case name and sees it, so it counts as chosen by a person.
			const source = style === "kebab" ? "manual" : "auto";
			const data: TitleData = { ...made, source, ...(stamp !== undefined && { last_message_id: stamp }) };
			const mayReplace = (name: CurrentName) => name.source === "auto" || name.id === seen?.id;
			if (saved(nameSession(naming, { data, mayReplace }))) screen.show(titleLines(data));
		};
		if (!hasTopic || !first) return fail(hasTopic ? "no_model" : "empty_history");
		screen.asking(asking(formatSpec(first.model)), () => {
			stop();
			screen.say("rename: the request was canceled; the name is unchanged.");
		});
		await request("typed", { reading, style, candidates }, land);
	}

	function undo() {
		const records = knownRecords(naming);
		const current = newestName(records);
		const previous = previousName(records);
		if (!current || current.text === previous) return fail("nothing_to_undo");
		stop();
		if (!saved(nameByPerson(naming, previous))) return;
		if (previous !== "") return screen.show(titleLines({ title: previous, source: "manual" }));
		screen.hide();
		screen.say(
			"rename: the name was removed, and the session will not be named automatically again. Type /rename <name> to name it.",
		);
	}

	const facts = (): TitleFacts => ({
		name: currentName(ownNames(naming)),
		whyNot: whyNot(),
		attempts: budget.attempts(),
		off: off(),
		failed,
		candidates: automaticModels(),
	});

	for (const unusable of choose().unusable) commons.warn(`session-title: ${describeUnusable(unusable)}`);

	return {
		/** Runs `/rename …`. Answers every form of the command, and resolves when any request to a model has ended. */
		async command(args: string): Promise<void> {
			const action = parseRename(args);
			switch (action.type) {
				case "name":
					return name(action.text);
				case "kebab":
					return suggest("kebab");
				case "auto":
					return suggest("title");
				case "undo":
					return undo();
				case "why":
					return screen.say(`rename: ${whyNamed(facts())}.`);
				case "help":
					return screen.say(renameHelp());
				case "refused":
					return screen.say(action.answer, "warning");
			}
		},
		/** Called when a run ended without a failure. */
		settled(): void {
			if (ctx.isIdle()) showNotice();
			nameIfIdle();
		},
		/** Called when a note on the current state has arrived, or none will come soon. */
		noted(): void {
			// If the provider failed for the agent and for the note, it would fail for a title, too.
			const isFailed = commons.state()?.timeline.outcome === "error";
			if (!isFailed || topicOfNote() !== undefined) nameIfIdle();
		},
		submitted(): void {
			screen.hide();
			// A server that handles one request at a time would keep the user waiting. After the next run, a title is requested again.
			if (slot.current === "auto") slot.drop();
		},
		/** Called when the host reports a new name. pi versions before 0.86 never report one. */
		renamed(): void {
			if (slot.current === "auto" && newestName(ownNames(naming))) slot.drop();
		},
		doctor: () => titleSection(facts()),
		end(): void {
			if (!isLive) return;
			isLive = false;
			stop();
			screen.hide();
		},
	};
}
