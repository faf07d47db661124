import type { Recap } from "../recap/record.ts";
import { stateLine } from "../recap/text.ts";
import { redact } from "../text/redact.ts";
import type { Words } from "../words/words.ts";
import { type DaySession, midnightOf } from "./session.ts";

export interface PartsView {
	/** What the list goes back to. */
	since: number;
	now: number;
	words: Words;
}

/** What is said of one session. */
export interface DayParts {
	title: string;
	/** From when to when, how it stands, how much was said. */
	facts: string[];
	/** Where it says something else than the title. */
	headline: string | undefined;
	recap: Recap | undefined;
}

export function partsOf(session: DaySession, { since, now, words }: PartsView): DayParts {
	const { recap, created, modified, messages, name } = session;
	const begun = created < since ? "…" : timeOf(created, now);
	// Of one day, the day is said once.
	const isOneDay = created >= since && dateOf(created) === dateOf(modified);
	const facts = [
		`${begun}–${isOneDay ? clockOf(modified) : timeOf(modified, now)}`,
		session.headless ? words.board.headless : "",
		recap ? stateLine(recap, words) : "",
		messages === undefined ? "" : `✉ ${messages}`,
	];
	return {
		title: name || recap?.headline || session.prompt || words.board.noMessages,
		facts: facts.filter(Boolean),
		headline: recap && name && recap.headline !== name ? recap.headline : undefined,
		recap,
	};
}

/** A project's folder as people write it; a secret in its name is not shown. */
export function projectName(cwd: string, home: string): string {
	if (cwd === "") return "?";
	const isBelow = home !== "" && (cwd === home || cwd.startsWith(`${home}/`));
	return redact(isBelow ? `~${cwd.slice(home.length)}` : cwd);
}

/** The days that a list is of. */
export function daysOf(since: number, now: number): string {
	const [first, last] = [dateOf(since), dateOf(now)];
	return first === last ? last : `${first} – ${last}`;
}

const two = (value: number): string => String(value).padStart(2, "0");

/** The day is said of times that are not today's. */
function timeOf(time: number, now: number): string {
	return time < midnightOf(now) ? `${dateOf(time)} ${clockOf(time)}` : clockOf(time);
}

function clockOf(time: number): string {
	const date = new Date(time);
	return `${two(date.getHours())}:${two(date.getMinutes())}`;
}

function dateOf(time: number): string {
	const date = new Date(time);
	return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
