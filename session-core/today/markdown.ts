import { inert, recapItems } from "../recap/markdown.ts";
import { stateLine } from "../recap/text.ts";
import { clipColumns } from "../text/clip.ts";
import { ENGLISH } from "../words/en.ts";
import type { Words } from "../words/words.ts";
import { type DaySession, midnightOf } from "./session.ts";

export interface DayView {
	sessions: readonly DaySession[];
	/** Sessions that are left out. */
	more: number;
	now: number;
	/** Under the name of its project each; else there is one project. */
	byProject: boolean;
	/** The user's home folder, written as `~`. */
	home?: string;
	words?: Words;
}

const TITLE_COLUMNS = 120;

/** What each session did today, as Markdown: for a stand-up. */
export function dayMarkdown({ sessions, more, now, byProject, home = "", words = ENGLISH }: DayView): string {
	const since = midnightOf(now);
	const level = byProject ? "###" : "##";
	const sections = sessions.map((session) => ({
		project: projectName(session.cwd, home),
		text: sectionOf(session, { level, since, words }),
	}));
	const projects = [...new Set(sections.map(({ project }) => project))];
	const body = byProject
		? projects.flatMap((name) => [
				`## ${inert(name)}`,
				...sections.filter(({ project }) => project === name).map(({ text }) => text),
			])
		: sections.map(({ text }) => text);
	return [`# ${dateOf(now)}`, ...body, ...(more > 0 ? [`(+ ${more})`] : [])].join("\n\n");
}

function sectionOf(
	session: DaySession,
	{ level, since, words }: { level: string; since: number; words: Words },
): string {
	const { recap, created, modified, messages } = session;
	const title = session.name || recap?.headline || session.prompt || words.board.noMessages;
	const facts = [
		`${created < since ? "…" : timeOf(created)}–${timeOf(modified)}`,
		session.headless ? words.board.headless : "",
		recap ? stateLine(recap, words) : "",
		messages === undefined ? "" : `✉ ${messages}`,
	].filter(Boolean);
	const told = recap ? recapItems(recap, words) : [];
	const headline =
		recap && session.name && recap.headline !== session.name ? [`- ${inert(recap.headline)}`] : [];
	const head = `${level} ${inert(clipColumns(title, TITLE_COLUMNS))}\n\n*${inert(facts.join(" · "))}*`;
	return [head, [...headline, ...told].join("\n")].filter(Boolean).join("\n\n");
}

function projectName(cwd: string, home: string): string {
	if (cwd === "") return "?";
	return home !== "" && (cwd === home || cwd.startsWith(`${home}/`)) ? `~${cwd.slice(home.length)}` : cwd;
}

const two = (value: number): string => String(value).padStart(2, "0");

function timeOf(time: number): string {
	const date = new Date(time);
	return `${two(date.getHours())}:${two(date.getMinutes())}`;
}

function dateOf(time: number): string {
	const date = new Date(time);
	return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
