import { hasRequest, remarksOf, stepsOf, type Timeline } from "../session-core/log/timeline/index.ts";
import type { Commons, Paint, Screen } from "../session-core/pi/index.ts";
import {
	artifactLine,
	type CardWords,
	type Prepared,
	recapLines,
	type SessionRecord,
	sentencesOfNote,
} from "../session-core/recap/index.ts";

export function isQuoted(record: SessionRecord): boolean {
	return record.generator.type === "heuristic";
}

interface Worth {
	sincePrompt: boolean;
	reopened: boolean;
}

/**
 * If the agent has called no tools, a recap is shown only if the agent's messages contain at least 30
 * words.
 */
const ENOUGH_WORDS = 30;

export function worthOf({ turns }: Pick<Timeline, "turns">): Worth {
	const since = turns.slice(Math.max(0, turns.findLastIndex(hasRequest)));
	const text = since.flatMap((turn) => [turn.reply ?? "", ...remarksOf(turn)]).join(" ");
	const sincePrompt =
		since.flatMap(stepsOf).some(({ kind }) => kind === "call") ||
		(text.match(/\S+/g)?.length ?? 0) >= ENOUGH_WORDS ||
		since.some(({ end }) => end === "aborted" || end === "error");
	const requests = turns.filter(({ request }) => request !== undefined).length;
	return {
		sincePrompt,
		reopened: sincePrompt || requests > 1 || turns.some(({ steps }) => steps.length > 0),
	};
}

/** A model's recap already says what comes next, so the next steps are not repeated. */
export function bodyLines(record: SessionRecord, words: CardWords): string[] {
	const sentences = sentencesOfNote(record);
	if (sentences === undefined) return recapLines(record, words);
	return [sentences, artifactLine(record.artifacts)].filter((line) => line !== "");
}

const GLYPH = "✦";
const BODY_LINES = 3;

export function widgetLines(
	record: SessionRecord,
	words: CardWords,
	hideKey: string | undefined,
	paint: Paint | undefined,
): string[] {
	const body = bodyLines(record, words).slice(0, BODY_LINES);
	if (!paint) return [`${GLYPH} recap`, ...body];
	const quoted = isQuoted(record);
	const glyph = quoted ? paint.dim(GLYPH) : paint.accent(paint.bold(GLYPH));
	const notes = [hideKey && `${hideKey} to hide this`, quoted && "quoted"].filter(Boolean);
	const hint = notes.map((note) => paint.dim(` · ${note}`)).join("");
	const artifacts = sentencesOfNote(record) && artifactLine(record.artifacts);
	return [
		`${glyph} ${paint.accent(paint.bold("recap"))}${hint}`,
		...body.map((line) => (line === artifacts ? paint.dim(line) : line)),
	];
}

export class RecapWidget {
	readonly #screen: Pick<Screen, "show" | "hide">;
	readonly #commons: Pick<Commons, "words" | "shortcuts">;
	#stamp: string | undefined;
	#unfinished: SessionRecord | undefined;

	constructor(screen: Pick<Screen, "show" | "hide">, commons: Pick<Commons, "words" | "shortcuts">) {
		this.#screen = screen;
		this.#commons = commons;
	}

	get stamp(): string | undefined {
		return this.#stamp;
	}

	show({ reading: { stamp, language }, shown }: Prepared): void {
		this.#stamp = stamp;
		const unfinished = this.#unfinished;
		const record = unfinished && unfinished.last_message_id === stamp ? unfinished : shown;
		const [hideKey] = this.#commons.shortcuts.keys.recap;
		const words = this.#commons.words(language);
		this.#screen.show((paint) => widgetLines(record, words, hideKey, paint));
	}

	write(state: Prepared, record: SessionRecord): void {
		this.#unfinished = record;
		this.#update(state);
	}

	stopWriting(state?: Prepared): void {
		this.#unfinished = undefined;
		if (state) this.#update(state);
	}

	hide(): void {
		this.#stamp = undefined;
		this.#screen.hide();
	}

	#update(state: Prepared): void {
		if (this.#stamp === state.reading.stamp) this.show(state);
	}
}
