import { recapItems } from "../recap/markdown.ts";
import { clipColumns } from "../text/clip.ts";
import { inert } from "../text/markdown.ts";
import { ENGLISH } from "../words/en.ts";
import type { Words } from "../words/words.ts";
import { daysOf, type PartsView, partsOf } from "./today-parts.ts";
import { type DaySession, midnightOf } from "./today-session.ts";
import { projectOf } from "./view.ts";

export interface DayView {
	sessions: readonly DaySession[];
	/** Sessions that are left out. */
	more: number;
	now: number;
	/** What the list goes back to. Default: the last midnight. */
	since?: number | undefined;
	/** Under the name of its project each; else there is one project. */
	byProject: boolean;
	/** The user's home folder, written as `~`. */
	home?: string;
	words?: Words;
}

const TITLE_COLUMNS = 120;

/** What each session did today, as Markdown: for a stand-up. */
export function dayMarkdown(view: DayView): string {
	const { sessions, more, now, since = midnightOf(now), byProject, home = "", words = ENGLISH } = view;
	const level = byProject ? "###" : "##";
	const sections = sessions.map((session) => ({
		project: projectOf(session.view.cwd, home) || "?",
		text: sectionOf(session, { level, since, now, words }),
	}));
	const projects = [...new Set(sections.map(({ project }) => project))];
	const body = byProject
		? projects.flatMap((name) => [
				`## ${inert(name)}`,
				...sections.filter(({ project }) => project === name).map(({ text }) => text),
			])
		: sections.map(({ text }) => text);
	return [`# ${daysOf(since, now)}`, ...body, ...(more > 0 ? [`(+ ${more})`] : [])].join("\n\n");
}

function sectionOf(session: DaySession, view: PartsView & { level: string }): string {
	const { title, facts, headline, recap } = partsOf(session, view);
	const told = recap ? recapItems(recap, view.words) : [];
	const head = `${view.level} ${inert(clipColumns(title, TITLE_COLUMNS))}\n\n*${inert(facts.join(" · "))}*`;
	const items = [...(headline === undefined ? [] : [`- ${inert(headline)}`]), ...told];
	return [head, items.join("\n")].filter(Boolean).join("\n\n");
}
