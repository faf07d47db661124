import type { SessionRecord } from "../recap/record.ts";
import type { Words } from "../words/words.ts";
import { type DaySession, midnightOf } from "./today-session.ts";

export interface PartsView {
	/** Start of the period. */
	since: number;
	now: number;
	words: Words;
}

/** The description of one session. */
export interface DayParts {
	title: string;
	/** Start and end, state, number of messages. */
	facts: string[];
	/** Present if it differs from the title. */
	headline: string | undefined;
	recap: SessionRecord | undefined;
}

export function partsOf({ view, described }: DaySession, { since, now, words }: PartsView): DayParts {
	const { created, modified, messages, kind, title, ending } = view;
	const begun = created < since ? "…" : timeOf(created, now);
	// Within one day, the date is given once. A fork's messages may be older than the fork.
	const isOneDay = created >= since && dateOf(created) === dateOf(modified);
	const end = isOneDay ? clockOf(modified) : timeOf(modified, now);
	const facts = [
		modified < created ? end : `${begun}–${end}`,
		kind === "headless" ? words.board.headless : "",
		ending ?? "",
		messages === undefined ? "" : `✉ ${messages}`,
	];
	const { record, sentences } = described ?? {};
	const headline = sentences ?? record?.headline;
	return {
		title,
		facts: facts.filter(Boolean),
		headline: headline === title ? undefined : headline,
		recap: record && sentences !== undefined ? { ...record, bullets: [] } : record,
	};
}

/** The days that a list covers. */
export function daysOf(since: number, now: number): string {
	const [first, last] = [dateOf(since), dateOf(now)];
	return first === last ? last : `${first} – ${last}`;
}

const two = (value: number): string => String(value).padStart(2, "0");

/** The date is given only for times of other days. */
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
