import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { appendCarefully } from "../session-core/log/append.ts";
import { lastMessageId } from "../session-core/log/branch.ts";
import { hostSource } from "../session-core/log/entry.ts";
import { createScreen, type FlagValues, type StartReason } from "../session-core/pi/host/index.ts";
import {
	askForNote,
	commonsOf,
	type NoteOutcome,
	noteRequest,
	type SettingsReader,
	type Shared,
} from "../session-core/pi/index.ts";
import {
	cheaperModel,
	createRequestSlot,
	describeUnusable,
	type Trigger,
} from "../session-core/pi/model/index.ts";
import { NOTE_SYSTEM_PROMPT, RECAP_ENTRY, recordFields } from "../session-core/recap/index.ts";
import { cleanLine } from "../session-core/text/index.ts";
import { type RecapConfig, recapConfig } from "./config.ts";
import { type Draft, explainRecapFailure, viewOfSentences, widgetLines } from "./draft.ts";
import { activeAt, createClock, createPresence, type Effect } from "./presence.ts";
import { projectContext } from "./project-context.ts";
import { type RecapReading, recapReading } from "./reading.ts";
import { attachTerminal } from "./terminal.ts";

export type RecapSession = ReturnType<typeof startRecap>;

/** Number of milliseconds after a keystroke during which the user counts as looking at the terminal, if there are no focus reports. */
const AT_THE_KEYS_MS = 5_000;

/** Starts the extension in a session: performs the effects of presence, and reports problems with settings and flags once. */
export function startRecap(pi: ExtensionAPI, ctx: ExtensionContext, shared: Shared, flags: FlagValues) {
	const commons = commonsOf(shared, ctx);
	const { agentDir, shortcuts, log } = commons;
	const config = currentConfig(commons.settings, flags);
	const budget = commons.budget("recap");
	const choose = () => commons.choose("recap", flags);
	const source = hostSource(ctx.sessionManager);
	const now = createClock({ wall: Date.now, steady: () => performance.now() });
	let isLive = true;
	/** Whether the terminal has reported its focus. */
	let focusSeen = false;
	/** Whether the last inspection found too little for a recap. */
	let isTooLittle = false;

	const hideKey = shortcuts.keys.recap[0];
	const screen = createScreen(ctx.ui, "session-recap");
	/** All drafts are kept, so that jumping back in the session tree does not require a new one. */
	const drafts = new Map<string, Draft>();
	const slot = createRequestSlot<Draft>();
	/** The draft on the screen. */
	let onScreen: Draft | undefined;
	/** The draft for which the user has requested a model's answer. */
	let awaited: Draft | undefined;
	const presence = createPresence({ config, perform, log, now });
	const { dispatch } = presence;
	const link = attachTerminal(ctx.ui, config().limits.focus, {
		focusOut: () => focusReported("away"),
		focusIn: () => focusReported("back"),
		lost: () => dispatch({ type: "away" }),
		gained: () => dispatch({ type: "back" }),
		key: presence.key,
		mouse: presence.mouse,
	});

	function focusReported(type: "away" | "back"): void {
		focusSeen = true;
		shared.live?.focusReported();
		dispatch({ type });
		if (type === "back") tellTitle();
	}

	/** A session without a name is named by the note. If no note will come soon, session-title asks for a title. */
	function tellTitle(): void {
		if (!isNoting()) shared.title?.noted();
	}

	/** Whether a note on the current state has been requested, or will be while the user is away. */
	function isNoting(): boolean {
		const { awaySince, limits } = presence.state;
		return slot.current !== undefined || (limits.auto && awaySince !== undefined && !isTooLittle);
	}

	function perform(effect: Effect): void {
		switch (effect.type) {
			case "inspect":
				// The effects of the current event are performed first.
				queueMicrotask(inspect);
				break;
			case "draft":
				draftInBackground(effect.stamp);
				break;
			case "reveal":
				put(drafts.get(effect.stamp));
				break;
			case "clear":
				clear();
				break;
		}
	}

	/** Reads the conversation. Returns undefined if there is no message yet, reading fails, or the session has ended. */
	function read(): RecapReading | undefined {
		const current = isLive ? commons.prepared() : undefined;
		return current && recapReading(current, commons.words);
	}

	/** Returns the project's instructions that a recap call sends; undefined unless the user has enabled this. */
	function instructions(): string | undefined {
		return config().includeProjectContext ? projectContext(ctx.cwd, agentDir) : undefined;
	}

	function isCurrent(stamp: string): boolean {
		return isLive && lastMessageId(source) === stamp;
	}

	function inspect(): void {
		// A run that is active is inspected when it settles.
		if (!isLive || !ctx.isIdle() || ctx.hasPendingMessages()) return;
		const reading = read();
		const stamp = reading?.worth.sincePrompt ? reading.stamp : undefined;
		isTooLittle = stamp === undefined;
		dispatch({ type: "inspected", stamp });
		if (isTooLittle) tellTitle();
		log("state.inspected", { stamp });
	}

	function draftInBackground(stamp: string): void {
		const reading = read();
		// The conversation may have another state by now.
		if (reading?.stamp !== stamp) return;
		const draft = open(reading);
		if (draft.view.offline) void improve(draft, reading, "auto");
	}

	/** Returns the draft of this state, with what is known of it now. */
	function open({ stamp, view }: RecapReading): Draft {
		const draft = drafts.get(stamp) ?? { stamp, view, isAsked: false, failure: undefined };
		draft.view = view;
		drafts.set(stamp, draft);
		return draft;
	}

	/** Calls a model for this draft, unless such a call is in progress. A call for any other draft is aborted. */
	function improve(draft: Draft, reading: RecapReading, by: Trigger): Promise<void> | undefined {
		if (slot.current === draft) return undefined;
		drop();
		draft.isAsked = true;
		draft.failure = undefined;
		log("draft.asked", { stamp: draft.stamp, trigger: by });
		const ask = async (signal: AbortSignal) => {
			// The record says which commit was checked out. Git answers while the model writes.
			const known = commons.repository.refresh();
			const onSentences = (sentences: string) => {
				if (slot.current !== draft) return;
				draft.view = viewOfSentences(sentences, draft.view.by);
				if (onScreen === draft) put(draft);
			};
			const { candidates } = choose();
			const request = { ...subjectOf(reading), signal, by, candidates, onSentences };
			const answer = await askForNote(request, { budget, ...commons.asking });
			await known;
			return answer;
		};
		return slot.start(draft, ask, (answer) => answered(draft, reading, answer));
	}

	/** Returns what a request for a note is about. */
	function subjectOf({ reading }: Pick<RecapReading, "reading">) {
		return { reading, setting: commons.language, projectContext: instructions() };
	}

	/** Aborts the call in progress. Its answer is never used. */
	function drop(): void {
		if (slot.current) slot.current.isAsked = false;
		slot.drop();
	}

	/** Called when a model call has ended. Its answer may be used only in the session and state for which it was requested. */
	function answered(draft: Draft, reading: RecapReading, answer: NoteOutcome): void {
		const { stamp } = draft;
		draft.isAsked = false;
		draft.failure = answer.ok ? undefined : answer;
		draft.tried = answer.tried;
		const { reason, status: http, detail } = draft.failure ?? {};
		log("draft.done", { stamp, status: answer.ok ? "answered" : "failed", reason, http, detail });
		if (answer.ok) keep(reading, answer.note);
		// The request may have failed after its sentences had arrived.
		draft.view = (answer.ok && isCurrent(stamp) && read()?.view) || reading.view;
		if (isCurrent(stamp)) {
			shared.resume?.noted();
			shared.live?.noted();
			shared.title?.noted();
			if (onScreen === draft) put(draft);
		}
		if (awaited !== draft) return;
		if (draft.failure) screen.say(explainRecapFailure(draft.failure, !draft.view.offline), "warning");
		stopWaiting();
	}

	/** Shows a note, and stores it in the session as the record of its state, unless a person wrote that. */
	function keep({ reading, stamp }: RecapReading, note: Extract<NoteOutcome, { ok: true }>["note"]): void {
		const isEdited = commons.prepared()?.existing?.generator.type === "user_edited";
		const record = commons.adopt(reading, note);
		if (shared.isDamaged || isEdited || !isCurrent(stamp) || !ctx.hasUI) return;
		// If the note cannot be stored, the only consequence is that it is requested again after a restart.
		const saved = appendCarefully(source, () => pi.appendEntry(RECAP_ENTRY, record));
		if (saved.ok) log("record.written", { cause: "note", ...recordFields(record) });
		else log("recap.not_saved", { stamp, reason: saved.reason });
	}

	function put(draft: Draft | undefined): void {
		if (!draft) return;
		onScreen = draft;
		shared.resume?.giveWay();
		screen.show((paint) => widgetLines(draft, hideKey, paint));
	}

	function hide(): void {
		onScreen = undefined;
		screen.hide();
	}

	function clear(): void {
		drop();
		stopWaiting();
		hide();
	}

	/** Called when the user's request has been answered, or when the user stops waiting for an answer. */
	function stopWaiting(): void {
		if (!awaited) return;
		awaited = undefined;
		screen.answered();
	}

	/** Handles Escape: aborts the request, and leaves the text on the screen. */
	function cancel(): void {
		drop();
		stopWaiting();
		screen.say("recap: the request was canceled. Type /recap to try again.");
	}

	/** Reads the conversation for a typed command. If that is not possible, reports why. */
	function readForCommand(): RecapReading | undefined {
		const reading = ctx.isIdle() ? read() : undefined;
		if (reading?.reading.hasTask) return reading;
		if (ctx.isIdle()) screen.say("recap: nothing to recap yet.");
		else screen.say("recap: the agent is still working; try again when it is done.", "warning");
		return undefined;
	}

	function putForCommand(draft: Draft): void {
		put(draft);
		dispatch({ type: "shown", stamp: draft.stamp });
	}

	const unusable = choose().unusable.map((it) => `recap: ${describeUnusable(it)}`);
	for (const problem of [...shortcuts.problems, ...config().problems, ...unusable].map(cleanLine))
		commons.warn(problem);

	return {
		pi,
		ctx,
		shared,
		agentDir,
		shortcuts,
		budget,
		config,
		choose,
		/** Returns a cheaper model of the same provider and region, to suggest it. */
		cheaper() {
			const [first] = choose().candidates;
			return first && cheaperModel(first.model, ctx.modelRegistry);
		},
		read,
		dispatch,
		followSettings: presence.followSettings,
		isLive: () => isLive,
		/** Begins to show recaps automatically. If the session was reopened, a recap is shown at once. */
		async begin(reason: StartReason): Promise<void> {
			// A prompt that was given on the command line may already be running when this code is loaded.
			if (!ctx.isIdle()) dispatch({ type: "run_start" });
			const reopened = reason !== "new" && reason !== "reload";
			const reading = reopened && lastMessageId(source) !== undefined ? read() : undefined;
			const stamp = reading?.worth.reopened ? reading.stamp : undefined;
			const offer = stamp === undefined ? undefined : await shared.resume?.claims(stamp);
			if (stamp !== undefined && offer?.shown) dispatch({ type: "covered", stamp });
			dispatch({ type: "session_start", stamp, reopened, claimed: offer?.claimed ?? false });
		},
		/**
		 * Returns for how many more milliseconds the user counts as looking at the terminal; 0 if nobody does. The focus proves a person only
		 * for the idle time after the last key, because people walk away from terminals that keep it. Without focus reports, a user who has
		 * just pressed a key counts as looking until further notice.
		 */
		looksForMs() {
			const { awaySince, lastKeyAt, limits } = presence.state;
			if (!isLive || awaySince !== undefined) return 0;
			if (focusSeen) return Math.max(0, activeAt(presence.state) + limits.idleMs - now());
			return now() - lastKeyAt < AT_THE_KEYS_MS ? Number.POSITIVE_INFINITY : 0;
		},
		isShown: () => onScreen !== undefined,
		isNoting,
		/** Returns the exact text that a request for a note would send now. */
		promptText(): string {
			const reading = read();
			if (!reading) return NOTE_SYSTEM_PROMPT;
			const { systemPrompt, prompt } = noteRequest(subjectOf(reading));
			return `${systemPrompt}\n\n${prompt}`;
		},
		/** Shows a recap immediately, and replaces it when a model's answer arrives. Resolves when the request has ended. */
		async request({ force }: { force: boolean }): Promise<void> {
			const reading = readForCommand();
			if (!reading) return;
			const draft = open(reading);
			putForCommand(draft);
			if (!draft.view.offline && !force) return;
			if (force) drop();
			awaited = draft;
			screen.asking("recap: asking the model …", cancel);
			await improve(draft, reading, "typed");
		},
		/** Shows the recap that is available without a model call. */
		show() {
			const reading = readForCommand();
			if (reading) putForCommand(open(reading));
		},
		/** Returns the text that `show` would show, for the clipboard. If there is none, informs the user and returns undefined. */
		copyText(): string | undefined {
			const reading = readForCommand();
			return reading && open(reading).view.lines.join("\n");
		},
		/** Hides the recap for `/recap clear`. Returns false if no recap was shown. */
		dismiss() {
			const wasShown = onScreen !== undefined;
			clear();
			return wasShown;
		},
		/** Hides the recap because a card shows the same state. A request in progress continues, because the card will use its answer. */
		giveWay(stamp: string) {
			hide();
			dispatch({ type: "covered", stamp });
		},
		terminal: () => ({ isTerminal: link.isTerminal, focusSeen }),
		/** See `Presence`. */
		lastReturn: () => presence.state.lastReturn,
		/** The draft of the current state. */
		draft() {
			const stamp = lastMessageId(source);
			return stamp === undefined ? undefined : drafts.get(stamp);
		},
		end() {
			if (!isLive) return;
			presence.end();
			clear();
			isLive = false;
			link.detach();
		},
	};
}

function currentConfig(reader: SettingsReader, flags: FlagValues): () => RecapConfig {
	let loaded = reader.current();
	let config = recapConfig(loaded, flags, process.env);
	return () => {
		const now = reader.current();
		if (now !== loaded) config = recapConfig(now, flags, process.env);
		loaded = now;
		return config;
	};
}
