import { setImmediate as breathe } from "node:timers/promises";
import { listSessions, type ScanOptions, type ScanReport } from "../catalog/listing.ts";
import type { SessionSummary } from "../catalog/summary.ts";
import { type Lease, leaseFinder } from "../live/lease-files.ts";
import type { SessionRecord } from "../recap/record.ts";
import { actionLine, endingText, openPoints, ownBullets, recapItems } from "../recap/text.ts";
import { clipColumns } from "../text/clip.ts";
import { inert } from "../text/markdown.ts";
import { cleanLine } from "../text/sanitize.ts";
import { type CardWords, ENGLISH, type WordsFor } from "../words/card-words.ts";
import { BRIEF, type Description, describeSession } from "./describe.ts";
import { projectOf, type SessionView, viewOf } from "./view.ts";
import { withWork } from "./work.ts";

export interface DaySession {
	view: SessionView;
	/** The session's description; undefined if its file cannot be read. */
	described: Description | undefined;
}

/** Returns the time of the most recent midnight in the local time zone. */
export function midnightOf(now: number): number {
	return new Date(now).setHours(0, 0, 0, 0);
}

/** Whether a session belongs in the list, that is, whether it has messages after `since` and was not started by another session. */
function isOfToday({ kind, modified, last }: SessionSummary, since: number): boolean {
	return kind !== "child" && last !== undefined && modified >= since;
}

/** What the list of a day shows. */
export interface DayView {
	sessions: readonly DaySession[];
	/** Number of sessions that are left out. */
	more: number;
	now: number;
	/** Start of the period, in milliseconds since the epoch. */
	since: number;
	/** Whether the list contains several projects, so that sessions are grouped by project. */
	byProject: boolean;
	/** The path of the user's home folder, which is shown as `~`. Default: that of this process. */
	home?: string;
}

type Period = Pick<DayView, "since" | "now">;

/** The components of a session's paragraph in the list of a day's sessions. */
interface DayParts {
	title: string;
	/** The session's start and end times, and its state. */
	facts: string[];
	/** The headline, if it differs from the title. */
	headline: string | undefined;
	recap: SessionRecord | undefined;
	words: CardWords;
}

function partsOf({ view, described }: DaySession, { since, now }: Period): DayParts {
	const { record, sentences, words = ENGLISH } = described ?? {};
	const { created, modified, kind, title, ending } = view;
	const begun = created < since ? "…" : timeOf(created, now);
	// If the session began and ended on the same day, the date is given once. If a fork's last message is older than the fork, only the
	// time of that message is given.
	const isOneDay = created >= since && dateOf(created) === dateOf(modified);
	const end = isOneDay ? clockOf(modified) : timeOf(modified, now);
	const facts = [
		modified < created ? end : `${begun}–${end}`,
		kind === "headless" ? "headless run" : "",
		ending ? endingText(ending, words) : "",
	];
	const headline = sentences ?? record?.headline;
	return {
		title,
		facts: facts.filter(Boolean),
		headline: headline === title ? undefined : headline,
		recap: record && sentences !== undefined ? { ...record, bullets: [] } : record,
		words,
	};
}

/** Returns the days of a period. */
function daysOf(since: number, now: number): string {
	const [first, last] = [dateOf(since), dateOf(now)];
	return first === last ? last : `${first} – ${last}`;
}

const two = (value: number): string => String(value).padStart(2, "0");

/** Returns the time of day, preceded by the date if the date is not today. */
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

const TITLE_COLUMNS = 120;

/** Returns what each session did today, as Markdown for a stand-up meeting. */
export function dayMarkdown(view: DayView): string {
	const { sessions, more, now, since, byProject, home } = view;
	const level = byProject ? "###" : "##";
	const sections = sessions.map((session) => ({
		project: projectOf(session.view.cwd, home) || "?",
		text: sectionOf(session, level, view),
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

/** A session's paragraph in a day's list: its title, its facts, and what it did. */
interface DayParagraph {
	title: string;
	facts: string;
	items: string[];
}

/** Returns what each session did, for a person who reads it in a terminal. */
function dayParagraphs(view: DayView): DayParagraph[] {
	return view.sessions.map((session) => {
		const { title, facts, headline, recap, words } = partsOf(session, view);
		const project = view.byProject ? projectOf(session.view.cwd, view.home) || "?" : "";
		const open = recap ? openPoints(recap).map((point) => actionLine(point, words)) : [];
		const items = [
			...(headline === undefined ? [] : [headline]),
			...(recap ? ownBullets(recap, words) : []),
			...open,
		];
		return {
			title: cleanLine(title),
			facts: [project, ...facts].filter(Boolean).join(" · "),
			items: items.map(cleanLine),
		};
	});
}

/** How the parts of a paragraph look. */
type DayLook = Record<"title" | "facts" | "item", (text: string) => string>;

/** Returns a day's list as lines, one paragraph for each session. Default look: plain text. */
export function dayText(
	view: DayView,
	look: DayLook = { title: String, facts: String, item: String },
): string {
	const paragraphs = dayParagraphs(view).map(({ title, facts, items }) =>
		[look.title(title), look.facts(facts), ...items.map((item) => look.item(`- ${item}`))].join("\n"),
	);
	return [...paragraphs, ...(view.more > 0 ? [`(+ ${view.more})`] : [])].join("\n\n");
}

function sectionOf(session: DaySession, level: string, view: Period): string {
	const { title, facts, headline, recap, words } = partsOf(session, view);
	const details = recap ? recapItems(recap, words) : [];
	const head = `${level} ${inert(clipColumns(title, TITLE_COLUMNS))}\n\n*${inert(facts.join(" · "))}*`;
	const items = [...(headline === undefined ? [] : [`- ${inert(headline)}`]), ...details];
	return [head, items.join("\n")].filter(Boolean).join("\n\n");
}

interface TodayOptions extends Pick<ScanOptions, "agents" | "env"> {
	agentDir: string;
	/** The folders to list; if undefined, the folders of all projects are listed. */
	folders: string[] | undefined;
	now: number;
	/** The start of the period, in milliseconds since the epoch. */
	since: number;
	words: WordsFor;
	/** The sessions that are open now. */
	leases: readonly Lease[];
	/** Called with the scan report of the listing. */
	onReport?: (report: ScanReport) => void;
}

export interface Today {
	/** Oldest work first. */
	sessions: DaySession[];
	/** The number of today's sessions that are left out to keep the list short. */
	more: number;
}

const MAX_SESSIONS = 60;
/** Returns the sessions with messages since midnight (or another time), each with its record or an offline description. */
export async function listToday(options: TodayOptions): Promise<Today> {
	const { agentDir, folders, agents, env, now, since, words, leases, onReport } = options;
	const rows = await listSessions({ agentDir, folders, agents, env, onReport });
	const all = rows.filter((summary) => isOfToday(summary, since));
	const leaseOf = leaseFinder(leases);
	const sessions: DaySession[] = [];
	for (const summary of all.slice(0, MAX_SESSIONS)) {
		const lease = leaseOf(summary);
		const deps = { now: () => now, words };
		const isWorking = lease?.state === "working";
		const described = await describeSession(summary, deps, { ...BRIEF, isWorking });
		sessions.push({
			view: viewOf(withWork(summary), lease),
			described: described.ok ? described : undefined,
		});
		await breathe();
	}
	return { sessions: sessions.reverse(), more: Math.max(0, all.length - MAX_SESSIONS) };
}
