/** Renders a turn for a model, either on one line or with its steps below it. */

import { headAndTail, openingLine, safeLine } from "../text/quote.ts";
import { lastNames } from "./render-step.ts";
import { type Room, stepLines } from "./render-steps.ts";
import { editedPaths, hasRequest, stepsOf } from "./turn.ts";
import type { Link, Turn } from "./types.ts";
import { quoteRequest } from "./user-words.ts";

/** Returns the user's request, preceded by the name of the skill and the number of images, if there are any. */
export function requestText(turn: Turn, room: number): string {
	const name = turn.expansion === undefined ? "" : `[skill ${safeLine(turn.expansion, 60)}] `;
	const images = turn.images > 0 ? `[${turn.images === 1 ? "image" : `${turn.images} images`}] ` : "";
	const request = turn.request ?? "";
	const text = safeLine(quoteRequest(request, room * 2), room);
	const whole = text.endsWith("…") ? safeLine(quoteRequest(request, room), room) : text;
	return `${name}${images}${whole}`.trim();
}

/** Returns a turn as one line: `#4 USER: … → edited a, b; 1a2b3c4 … → AGENT: …` */
export function turnLine(turn: Turn, links: readonly Link[], room: number): string {
	const request = requestText(turn, Math.floor(room * 0.5));
	const changes = changesOf(turn, links);
	const left = Math.max(60, room - request.length - changes.length);
	const answer = turn.reply === undefined ? endText(turn) : `AGENT: ${openingLine(turn.reply, left)}`;
	return [`${label(turn)} ${request}`, changes, answer].filter(Boolean).join(" → ");
}

function label(turn: Turn): string {
	return hasRequest(turn) || turn.expansion !== undefined ? `#${turn.number} USER:` : "(no request)";
}

/** Returns a brief description of the changes that a turn made. */
function changesOf(turn: Turn, links: readonly Link[]): string {
	const names = lastNames(editedPaths(stepsOf(turn)));
	const made = links.slice(-2).map(({ kind, locator, label: name }) =>
		// For a pull request, the number is enough, because the subject of the commit explains it.
		safeLine(kind === "page" ? name.split(" ").slice(0, 2).join(" ") : `${locator} ${name}`, 90),
	);
	return [names && `edited ${names}`, ...made].filter(Boolean).join("; ");
}

/** Returns how a turn ended if it did not end by itself. */
export function endText(turn: Turn): string {
	if (turn.end === "aborted") return turn.steps.length === 0 ? "aborted before any output" : "aborted";
	return turn.end === "error" ? `failed: ${safeLine(turn.errorMessage, 120)}` : "";
}

/**
 * Returns the turn with its steps, oldest first. `isLast`: whether this is the last turn, whose reply is left out because it is quoted
 * elsewhere.
 */
export function turnDetail(turn: Turn, room: Room, isLast: boolean): string[] {
	const lines = [`${label(turn)} ${requestText(turn, room.request)}`.trimEnd()];
	for (const line of stepLines(turn, room, isLast)) lines.push(`  - ${line}`);
	if (!isLast) {
		if (turn.reply !== undefined)
			lines.push(`  AGENT: ${headAndTail(turn.reply, room.reply).replace(/\n+/g, " ")}`);
		else if (endText(turn) !== "") lines.push(`  (${endText(turn)})`);
	}
	return lines;
}
