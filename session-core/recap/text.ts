import { AGENT_LIVE_MS } from "../log/index.ts";
import {
	cleanLine,
	codeSpan,
	cutAtClause,
	inert,
	isQuestion,
	letters,
	plainLine,
	sentencesOf,
} from "../text/index.ts";
import { type CardWords, ENGLISH } from "./card-words.ts";
import { longAge } from "./locale.ts";
import type { BulletKind, NextStep, SessionRecord } from "./record.ts";

export function stateLine({ outcome }: Pick<SessionRecord, "outcome">, words: CardWords = ENGLISH): string {
	return outcome === "done" ? "" : words.outcome[outcome];
}

export interface Ending {
	outcome: Exclude<SessionRecord["outcome"], "done">;
	reason?: string;
	/**
	 * The time, in milliseconds since the epoch, at which another agent last wrote to its unfinished log.
	 * That agent may have exited since then.
	 */
	activeAt?: number;
}

export function endingText({ outcome, reason, activeAt }: Ending, { outcome: words } = ENGLISH): string {
	const now = Date.now();
	if (activeAt !== undefined && now - activeAt < AGENT_LIVE_MS) return `active ${longAge(activeAt, now)}`;
	return reason ? words.failed(reason) : words[outcome];
}

type Next = Pick<SessionRecord, "next_actions" | "next_kinds">;
type Lead = Pick<SessionRecord, "headline" | "text">;

/** Steps can be sent as prompts, so questions and items without a stored kind never become steps. */
export function pointsOf({ next_actions, next_kinds = [] }: Next): NextStep[] {
	return next_actions.map((text, index) => {
		const kind = next_kinds[index] ?? "suggestion";
		const isAsked = isQuestion(text) && (kind === "step" || kind === "suggestion");
		return { kind: isAsked ? "question" : kind, text };
	});
}

/**
 * The next step is the first proposed action, even if the record's `seed_instruction` is different.
 */
export function openOf({ outcome, ...next }: Pick<SessionRecord, "outcome"> & Next) {
	return { waits: outcome === "waiting", next: pointsOf(next)[0] };
}

export function nextOf(points: readonly NextStep[]): Next {
	const next_actions = points.map(({ text }) => text);
	if (points.length === 0) return { next_actions };
	return { next_actions, next_kinds: points.map(({ kind }) => kind) };
}

export function actionLine({ kind, text }: NextStep, { recap }: CardWords): string {
	return (kind === "cut_short" ? recap.cutShort : recap.open) + text;
}

export function nextLines(recap: Next, words: CardWords): string[] {
	const points = pointsOf(recap);
	return points.map(({ kind, text }) => {
		if (kind !== "cut_short") return text;
		const isAlone = points.length === 1;
		return actionLine({ kind, text: isAlone ? text : cutAtClause(plainLine(text), REQUEST_COLUMNS) }, words);
	});
}

const REQUEST_COLUMNS = 70;

export function openPoints({ headline, text, ...next }: Lead & Next): NextStep[] {
	const shown = letters(text ?? headline);
	return pointsOf(next).filter(({ kind, text }) => {
		const key = letters(text);
		if (shown === "") return true;
		if (kind === "cut_short") return !key.includes(shown.slice(0, BEGINNING));
		return !key.startsWith(shown) || key.length > shown.length * SLACK;
	});
}

/**
 * A string that begins with a shorter string is considered a repetition if it has at most 1.3 times as
 * many letters as the shorter string.
 */
const SLACK = 1.3;
const BEGINNING = 24;

export function isRepeated(text: string, others: readonly string[]): boolean {
	const said = others.flatMap((other) => [other, ...sentencesOf(other)]).map(letters);
	const isSaid = (sentence: string): boolean => {
		const key = letters(sentence);
		return said.some((other) => {
			const [short, long] = key.length < other.length ? [key, other] : [other, key];
			return short !== "" && long.startsWith(short) && long.length <= short.length * SLACK;
		});
	};
	const sentences = sentencesOf(text);
	return isSaid(text) || (sentences.length > 0 && sentences.every(isSaid));
}

interface Bullet {
	kind: BulletKind | undefined;
	line: string;
}

export function newBullets(
	{ bullets, bullet_kinds: kinds = [] }: Pick<SessionRecord, "bullets" | "bullet_kinds">,
	others: readonly string[],
	words: CardWords,
): Bullet[] {
	const all = bullets.map((line, index) => {
		const kind = kinds[index];
		const label = kind ? words.recap[kind] : "";
		return { kind, line, text: line.startsWith(label) ? line.slice(label.length) : line };
	});
	return all.filter(({ kind, text }, index) => {
		const above = all.slice(0, index).filter((one) => kind !== "said" || one.kind !== "asked");
		return !isRepeated(text, [...others, ...above.map((one) => one.text)]);
	});
}

export function ownBullets(recap: SessionRecord, words: CardWords): string[] {
	const open = openPoints(recap).map(({ text }) => text);
	return newBullets(recap, [...leadLines(recap), ...open], words).map(({ line }) => line);
}

export function sentencesOfNote({ generator, text }: SessionRecord): string | undefined {
	return generator.type === "llm" ? text : undefined;
}

export function movedTopic(recap: SessionRecord | undefined, name: string | undefined): string {
	if (!recap || name === undefined || sentencesOfNote(recap) === undefined) return "";
	return isRepeated(recap.headline, [name]) ? "" : recap.headline;
}

export function leadLines(recap: SessionRecord, title = ""): string[] {
	const sentences = sentencesOfNote(recap);
	const headline = sentences === undefined ? (recap.text ?? recap.headline) : recap.headline;
	const isTitled = title !== "" && letters(title).includes(letters(headline));
	return [...(isTitled ? [] : [headline]), ...(sentences === undefined ? [] : [sentences])];
}

export function recapText(recap: SessionRecord, words: CardWords = ENGLISH): string {
	const bullets = ownBullets(recap, words).map((bullet) => `- ${bullet}`);
	const open = openPoints(recap).map((point) => actionLine(point, words));
	const locators = recap.artifacts.map(({ locator }) => locator);
	return [...leadLines(recap), stateLine(recap, words), ...bullets, ...open, ...locators]
		.filter((line) => line !== "")
		.join("\n");
}

export function recapMarkdown(recap: SessionRecord, words: CardWords = ENGLISH): string {
	const state = stateLine(recap, words);
	const [title = "", ...text] = leadLines(recap).map(inert);
	const head = [`## ${title}`, ...(state === "" ? [] : [`*${inert(state)}*`]), ...text];
	const items = [
		...ownBullets(recap, words).map(inert),
		...openPoints(recap).map((point) => inert(actionLine(point, words))),
		...recap.artifacts.map(({ locator }) => codeSpan(locator)),
	].map((line) => `- ${line}`);
	return [head.join("\n\n"), items.join("\n")].filter(Boolean).join("\n\n");
}

export function writtenBy({ generator }: Pick<SessionRecord, "generator">): string {
	switch (generator.type) {
		case "heuristic":
			return "generated without a model";
		case "llm":
			return `written by ${cleanLine(`${generator.provider}/${generator.model}`)}`;
		case "user_edited":
			return "edited by you";
	}
}
