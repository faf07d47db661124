import type { Paint, Screen } from "../session-core/host/screen.ts";
import { createRequestSlot } from "../session-core/model/ask.ts";
import type { Trigger } from "../session-core/model/ledger.ts";
import type { FailedDraft, RecapAnswer } from "./ask.ts";
import type { RecapReading } from "./reading.ts";

/** The recap of one state of the conversation: first the offline text, then a model's answer. */
export interface Draft {
	stamp: string;
	/** The offline text. It is shown immediately, and kept if no model answers. */
	lines: readonly string[];
	/** The line that is shown below a model's answer. It says what the latest work created or changed. */
	artifacts: string;
	/** A model's answer, which replaces the offline text. */
	answer: { text: string; model: string } | undefined;
	/** Whether a model call for this draft is in progress. */
	isAsked: boolean;
	failure: FailedDraft | undefined;
}

export function draftView(draft: Draft): { lines: readonly string[]; offline: boolean } {
	return draft.answer
		? { lines: [draft.answer.text, draft.artifacts].filter((line) => line !== ""), offline: false }
		: { lines: draft.lines, offline: true };
}

interface DrafterDeps {
	ask(reading: RecapReading, signal: AbortSignal, by: Trigger): Promise<RecapAnswer>;
	/** Stores a model's answer for this state of the conversation. */
	save(stamp: string, answer: { text: string; model: string }): void;
	/** Called when a draft that is still in use has changed. */
	changed(draft: Draft): void;
}

export type Drafter = ReturnType<typeof createDrafter>;

/**
 * Creates the drafts for one session instance, with at most one request in progress. All drafts are kept, so that jumping back in the
 * session tree does not require a new draft.
 */
export function createDrafter(deps: DrafterDeps) {
	const drafts = new Map<string, Draft>();
	const slot = createRequestSlot<Draft>();

	/** Aborts the call in progress. Its answer is never used. */
	const drop = () => {
		const dropped = slot.current;
		slot.drop();
		if (dropped) dropped.isAsked = false;
	};

	return {
		/** Returns the draft of this state. If there is none yet, an offline draft is created. */
		open(reading: RecapReading): Draft {
			const known = drafts.get(reading.stamp);
			if (known) return known;
			const { stamp, lines, artifacts, saved } = reading;
			const answer = saved && { text: saved.text, model: saved.model };
			const draft = { stamp, lines, artifacts, answer, isAsked: false, failure: undefined };
			drafts.set(reading.stamp, draft);
			return draft;
		},
		/** Calls a model for this draft, unless such a call is in progress. A call for any other draft is aborted. */
		improve(draft: Draft, reading: RecapReading, by: Trigger): void {
			if (slot.current === draft) return;
			drop();
			draft.isAsked = true;
			draft.failure = undefined;
			const finish = (answer: RecapAnswer) => {
				draft.isAsked = false;
				if (answer.ok) {
					draft.answer = { text: answer.text, model: answer.model };
					deps.save(draft.stamp, draft.answer);
				} else draft.failure = answer;
				deps.changed(draft);
			};
			void slot.start(draft, (signal) => deps.ask(reading, signal, by), finish);
		},
		find: (stamp: string) => drafts.get(stamp),
		drop,
	};
}

const GLYPH = "✦";
/** Maximum number of lines below the header. With the header, the widget stays well within the host's limit of ten strings. */
const MAX_LINES = 3;

/**
 * Returns the lines of the widget: a header and the recap. The host wraps them to the width of the terminal. `hideKey`: the key that hides
 * the recap, if one is bound. The header of an offline recap says that the text is quoted; only the line with the artifacts is dim.
 */
export function widgetLines(draft: Draft, hideKey: string | undefined, paint: Paint | undefined): string[] {
	const { lines, offline } = draftView(draft);
	const body = lines.slice(0, MAX_LINES);
	if (!paint) return [`${GLYPH} recap`, ...body];
	const glyph = offline ? paint.dim(GLYPH) : paint.accent(paint.bold(GLYPH));
	const notes = [hideKey && `${hideKey} to hide this`, offline && "quoted"].filter(Boolean);
	const hint = notes.map((note) => paint.dim(` · ${note}`)).join("");
	return [
		`${glyph} ${paint.accent(paint.bold("recap"))}${hint}`,
		...body.map((line) => (line === draft.artifacts ? paint.dim(line) : line)),
	];
}

export type Surface = ReturnType<typeof createSurface>;

/**
 * Creates the recap above the editor. It always consists of plain string lines, so that RPC clients get it, too. `hideKey`: the key that
 * hides it, if one is bound. `shown` is called when a recap is on the screen.
 */
export function createSurface(
	screen: Pick<Screen, "show" | "hide">,
	hideKey: string | undefined,
	shown: () => void,
) {
	let stamp: string | undefined;
	return {
		get stamp() {
			return stamp;
		},
		put(draft: Draft): void {
			stamp = draft.stamp;
			shown();
			screen.show((paint) => widgetLines(draft, hideKey, paint));
		},
		hide(): void {
			stamp = undefined;
			screen.hide();
		},
	};
}
