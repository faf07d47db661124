import { setImmediate as breathe } from "node:timers/promises";
import {
	actionLine,
	clockOf,
	dateOf,
	ENGLISH,
	endingText,
	leadLines,
	midnightOf,
	openPoints,
	ownBullets,
	type WordsFor,
} from "../recap/index.ts";
import { cleanLine, clipColumns, codeSpan, inert } from "../text/index.ts";
import { type Description, describeSession } from "./describe.ts";
import { listSessions, type ScanOptions, type ScanReport } from "./listing.ts";
import { leaseFinder, openLeases } from "./live/index.ts";
import { type SessionView, toldApart, viewOf } from "./view.ts";

export interface DaySession {
	view: SessionView;
	described: Description | undefined;
}

export interface DayView {
	sessions: readonly DaySession[];
	more: number;
	now: number;
	since: number;
	byProject: boolean;
}

interface Paragraph {
	project: string;
	title: string;
	facts: string[];
	items: string[];
	artifacts: string[];
}

function paragraphOf({ view, described }: DaySession, { since, now }: DayView): Paragraph {
	const { record, words = ENGLISH } = described ?? {};
	const { created, modified, kind, title, ending } = view;
	const begun = created < since ? "…" : timeOf(created, now);
	const isOneDay = created >= since && dateOf(created) === dateOf(modified);
	const end = isOneDay ? clockOf(modified) : timeOf(modified, now);
	const facts = [
		modified < created || begun === end ? end : `${begun}–${end}`,
		kind === "headless" ? "headless run" : "",
		ending ? endingText(ending, words) : "",
	];
	const items = [
		...(record ? [...leadLines(record, title), ...ownBullets(record, words)] : []),
		...(record ? openPoints(record).map((point) => actionLine(point, words)) : []),
	];
	return {
		project: view.project || "?",
		title,
		facts: facts.filter(Boolean),
		items: items.filter(Boolean),
		artifacts: record?.artifacts.map(({ locator }) => locator) ?? [],
	};
}

function daysOf(since: number, now: number): string {
	const [first, last] = [dateOf(since), dateOf(now)];
	return first === last ? last : `${first} – ${last}`;
}

function timeOf(time: number, now: number): string {
	return time < midnightOf(now) ? `${dateOf(time)} ${clockOf(time)}` : clockOf(time);
}

const TITLE_COLUMNS = 120;

export function dayMarkdown(view: DayView): string {
	const { sessions, more, now, since, byProject } = view;
	const paragraphs = sessions.map((session) => paragraphOf(session, view));
	const level = byProject ? "###" : "##";
	const projects = [...new Set(paragraphs.map(({ project }) => project))];
	const body = byProject
		? projects.flatMap((name) => [
				`## ${inert(name)}`,
				...paragraphs.filter(({ project }) => project === name).map((one) => markdownOf(one, level)),
			])
		: paragraphs.map((one) => markdownOf(one, level));
	return [`# ${daysOf(since, now)}`, ...body, ...(more > 0 ? [`(${more} more)`] : [])].join("\n\n");
}

function markdownOf({ title, facts, items, artifacts }: Paragraph, level: string): string {
	const head = `${level} ${inert(clipColumns(title, TITLE_COLUMNS))}\n\n*${inert(facts.join(" · "))}*`;
	const list = [...items.map(inert), ...artifacts.map(codeSpan)].map((item) => `- ${item}`);
	return [head, list.join("\n")].filter(Boolean).join("\n\n");
}

type DayLook = Record<"title" | "facts" | "item", (text: string) => string>;

export function dayText(
	view: DayView,
	look: DayLook = { title: String, facts: String, item: String },
): string {
	const paragraphs = view.sessions.map((session) => {
		const { project, title, facts, items } = paragraphOf(session, view);
		const all = [...(view.byProject ? [project] : []), ...facts].join(" · ");
		const lines = items.map((item) => look.item(`- ${cleanLine(item)}`));
		return [look.title(cleanLine(title)), look.facts(all), ...lines].join("\n");
	});
	return [...paragraphs, ...(view.more > 0 ? [`(${view.more} more)`] : [])].join("\n\n");
}

interface TodayOptions extends Pick<ScanOptions, "formats" | "env" | "project"> {
	agentDir: string;
	folders: string[] | undefined;
	now: number;
	/** The start time in milliseconds since the epoch. The default is the last midnight. */
	since?: number | undefined;
	words: WordsFor;
	onReport?: (report: ScanReport) => void;
}

const MAX_SESSIONS = 60;
/** Leaves out forks without new messages, and sessions that were started by another session. */
export async function listToday(options: TodayOptions): Promise<Omit<DayView, "byProject">> {
	const { agentDir, folders, project, formats, env, now, since = midnightOf(now), words, onReport } = options;
	const rows = await listSessions({ agentDir, folders, project, formats, env, onReport });
	const today = rows.filter(({ kind, last, modified }) => kind !== "child" && last && modified >= since);
	const lastOf = new Map(today.map(({ path, last }) => [path, last?.id]));
	const all = today.filter(({ parentSession, last }) => lastOf.get(parentSession ?? "") !== last?.id);
	const leaseOf = leaseFinder(openLeases(agentDir, now, { env }));
	const sessions: DaySession[] = [];
	for (const summary of all.slice(0, MAX_SESSIONS)) {
		const lease = leaseOf(summary);
		const deps = { now: () => now, words };
		const described = await describeSession(summary, deps, lease?.state);
		sessions.push({
			view: viewOf(summary, lease),
			described: described.ok ? described : undefined,
		});
		await breathe();
	}
	const views = toldApart(
		sessions.map(({ view }) => view),
		"all",
	);
	const titled = sessions.map((session, index) => ({ ...session, view: views[index] ?? session.view }));
	return { sessions: titled.reverse(), more: Math.max(0, all.length - MAX_SESSIONS), now, since };
}
