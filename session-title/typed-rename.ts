import type { Screen } from "../session-core/host/screen.ts";
import { type Candidate, formatSpec } from "../session-core/model/choose-model.ts";
import {
	knownRecords,
	type NameOutcome,
	nameByPerson,
	nameSession,
} from "../session-core/session-file/names.ts";
import {
	type CurrentName,
	nameText,
	newestName,
	previousName,
	type TitleData,
} from "../session-core/session-file/names-in-file.ts";
import type { TitleContext, TitleOutcome } from "./ask.ts";
import {
	asking,
	explainRenameFailure,
	parseRename,
	type RenameFailure,
	renameHelp,
	type TitleFacts,
	titleLines,
	whyNamed,
} from "./command.ts";
import type { TitleStyle } from "./prompt.ts";

interface Suggestion {
	style: TitleStyle;
	/** The state of the conversation that the title is made from. */
	stamp: string | undefined;
	seen: string | null | undefined;
}

interface TypedRenameDeps extends TitleContext {
	screen: Screen;
	candidates(): readonly Candidate[];
	/** Called when the session has a new name, so that the notice about an older name is removed. */
	named(): void;
	facts(): TitleFacts;
}

/**
 * Creates the handler of `/rename …` for one session. The handler answers every form of the command, and resolves when any request to a
 * model has ended.
 */
export function createTypedRename(deps: TypedRenameDeps): (args: string) => Promise<void> {
	const { ports, slot, screen } = deps;

	function written(outcome: NameOutcome): boolean {
		deps.log("title.written", { ok: outcome.ok, reason: outcome.ok ? undefined : outcome.reason });
		if (outcome.ok) deps.named();
		else fail(outcome.reason, "", outcome);
		return outcome.ok;
	}

	function fail(
		reason: RenameFailure,
		model: string,
		failure?: Parameters<typeof explainRenameFailure>[2],
	): void {
		screen.say(explainRenameFailure(reason, model, failure), "warning");
	}

	function set(title: string): boolean {
		slot.drop();
		screen.answered();
		return written(nameByPerson(ports, title));
	}

	function name(text: string): void {
		const title = nameText(text);
		if (title === "") fail("empty_name", "");
		else if (set(title)) screen.show(titleLines({ title, source: "manual" }));
	}

	/** Writes a suggested name. `seen`: the id of the name that the user saw and asked to replace. */
	function land(made: Pick<TitleData, "title" | "model">, { style, stamp, seen }: Suggestion): void {
		// The user asked for a kebab-case name and sees it, so it counts as chosen by a person.
		const source = style === "kebab" ? "manual" : "auto";
		const data: TitleData = { ...made, source, ...(stamp !== undefined && { last_message_id: stamp }) };
		const mayReplace = (name: CurrentName) => name.source === "auto" || name.id === seen;
		if (written(nameSession(ports, { data, mayReplace }))) screen.show(titleLines(data));
	}

	async function suggest(style: TitleStyle): Promise<void> {
		const reading = deps.read();
		const candidates = deps.candidates();
		const [first] = candidates;
		const { ownTitle } = reading;
		const named = newestName(knownRecords(ports));
		const suggestion = { style, stamp: reading.stamp, seen: named?.id };
		// If the prompt is the name already, the user wants another one.
		if (style === "title" && ownTitle !== undefined && named?.text !== ownTitle) {
			slot.drop();
			screen.answered();
			land({ title: ownTitle }, suggestion);
			return;
		}
		if (!reading.hasTopic || !first) {
			fail(reading.hasTopic ? "no_model" : "empty_history", "");
			return;
		}
		screen.asking(asking(formatSpec(first.model)), () => {
			slot.drop();
			screen.answered();
			screen.say("rename: the request was canceled; the name is unchanged.");
		});
		deps.log("title.requested", { trigger: "typed", style, stamp: reading.stamp });
		await slot.start(
			"typed",
			(signal) => deps.ask({ reading, style, candidates, signal, by: "typed" }),
			(answer: TitleOutcome) => {
				screen.answered();
				if (!answer.ok) {
					const { reason, flaw, model, status, detail } = answer;
					deps.log("title.failed", { reason, flaw, model, http: status, detail });
					return fail(reason, model, answer);
				}
				land({ title: answer.title, model: answer.model }, suggestion);
			},
		);
	}

	function undo() {
		const records = knownRecords(ports);
		const current = newestName(records);
		const previous = previousName(records);
		if (!current || current.text === previous) return fail("nothing_to_undo", "");
		if (!set(previous)) return;
		if (previous !== "") return screen.show(titleLines({ title: previous, source: "manual" }));
		screen.hide();
		screen.say(
			"rename: the name was removed, and the session will not be named automatically again. Type /rename <name> to name it.",
		);
	}

	return async (args) => {
		const action = parseRename(args);
		switch (action.type) {
			case "name":
				name(action.text);
				break;
			case "kebab":
				await suggest("kebab");
				break;
			case "auto":
				await suggest("title");
				break;
			case "undo":
				undo();
				break;
			case "why":
				screen.say(`rename: ${whyNamed(deps.facts())}.`);
				break;
			case "help":
				screen.say(renameHelp());
				break;
			case "refused":
				screen.say(action.answer, "warning");
				break;
		}
	};
}
