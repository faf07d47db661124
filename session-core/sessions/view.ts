import { readableError } from "../log/timeline/index.ts";
import {
	currentRecord,
	type Ending,
	endingText,
	type NextStep,
	openOf,
	type SessionRecord,
} from "../recap/index.ts";
import { baseName, cleanLine, clipColumns, foldCase, shownPath } from "../text/index.ts";
import type { Lease, LeaseState } from "./live/index.ts";
import type { Overlap } from "./overlaps.ts";
import { fileIdOf, searchedText, withState } from "./session-list.mjs";
import { type RowNote, rowNote } from "./session-looks.mjs";
import { type SessionSummary, type SessionWork, summarize, titleOf } from "./summary.ts";

/**
 * `manual` marks a name that the user chose, and `auto` a name that a model wrote. The other values
 * show which text is used as the title of an unnamed session.
 */
export type TitleOrigin = "manual" | "auto" | SessionWork["source"] | "prompt" | "none";

/** `closed` means that no process has the session open. */
export type SessionState = LeaseState | "closed";

/**
 * The facts about a session that all user interfaces show. Text is sanitized and redacted, except for paths
 * and the summary's `name`, so show `title` instead of `name`. Times are in milliseconds.
 */
export interface SessionView extends SessionSummary {
	fileId: string;
	project: string;
	title: string;
	titleSource: TitleOrigin;
	state: SessionState;
	lease: Lease | undefined;
	interactive: boolean;
	/** The uncommitted files that another live session has also changed. */
	overlaps: readonly Overlap[];
	ending: Ending | undefined;
	waits: boolean;
	waitingSince: number | undefined;
	next: NextStep | undefined;
	/** The saved recap, or undefined if the recap is outdated. */
	record: SessionRecord | undefined;
	branch: string | undefined;
	foldedTitle: string;
	searched: string;
}

/** Maps the `instance` of each lease to the overlaps of the leased session. */
export type Overlaps = ReadonlyMap<string, readonly Overlap[]>;

/** Cached text is sanitized again, because another program may have changed the cache. */
export function viewOf(summary: SessionSummary, lease?: Lease, overlaps?: Overlaps): SessionView {
	const { id, path, modified, last, recap, name, work } = summary;
	const record = currentRecord({ id, stamp: last?.id, stored: recap });
	const title = cleaned(titleOf(summary));
	const isNamed = cleaned(name) !== undefined;
	const source = isNamed ? (summary.nameSource ?? "manual") : (work?.title && work.source) || "prompt";
	const project = shownPath(summary.cwd);
	const open = record ? openOf(record) : (work ?? NOTHING_OPEN);
	const next = cleaned(open.next?.text);
	// In Node 20, `Object.assign` builds a large object four times as fast as spread syntax does.
	const view: SessionView = Object.assign({}, summary, {
		state: "closed",
		lease: undefined,
		interactive: false,
		overlaps: [],
		fileId: fileIdOf(path),
		project,
		title: title ?? "(no messages)",
		titleSource: title === undefined ? "none" : source,
		firstPrompt: cleaned(summary.firstPrompt),
		ending: endingOf(summary, record ?? (open.waits ? WAITING : undefined)),
		waits: open.waits,
		waitingSince: open.waits ? modified : undefined,
		next: open.next && next !== undefined ? { kind: open.next.kind, text: next } : undefined,
		record,
		branch: recap?.workspace?.git_branch,
		foldedTitle: foldCase(title ?? ""),
		searched: searchedText({ title, prompt: summary.firstPrompt, recap, project }),
	} satisfies Partial<SessionView>);
	return withLease(view, lease, overlaps);
}

const WAITING = { outcome: "waiting" } as const;
const NOTHING_OPEN = { waits: false, next: undefined };

export function withLease<View extends SessionView>(
	view: View,
	lease: Lease | undefined,
	overlaps?: Overlaps,
): View {
	if (!lease) return view;
	const interactive = lease.isInteractive ?? false;
	return {
		...withState(view, lease),
		lease,
		interactive,
		overlaps: overlaps?.get(lease.instance) ?? [],
	};
}

export function modelText({ model }: SessionSummary): string | undefined {
	return cleaned(model && `${model.provider}/${model.id}`);
}

/**
 * Makes equal titles distinguishable by adding the folder, the first prompt or the id. With `live`, only
 * the titles of live sessions change.
 */
export function toldApart<View extends SessionView>(
	views: readonly View[],
	which: "live" | "all" = "live",
): View[] {
	const among = which === "all" ? views : views.filter(({ state }) => state !== "closed");
	const titled = new Map<View, string>();
	for (const view of among) {
		const same = among.filter(({ title }) => title === view.title);
		const differs = (one: (of: SessionView) => string) => new Set(same.map(one)).size === same.length;
		const what = same.length > 1 ? [baseNameOf, promptMark, shortIdOf].find(differs)?.(view) : undefined;
		if (what) titled.set(view, `${view.title} (${what})`);
	}
	return views.map((view) => {
		const title = titled.get(view);
		return title === undefined ? view : { ...view, title };
	});
}

const baseNameOf = ({ project }: SessionView) => baseName(project);
const promptMark = ({ firstPrompt = "" }: SessionView) => clipColumns(firstPrompt, 30);
const shortIdOf = ({ id }: SessionView) => cleanLine(id).slice(-6);

export function noteOf({ title, state, waits, ending, next, lease }: SessionView): RowNote | undefined {
	const { doing, dialog } = lease ?? {};
	const texts = { next: next?.text, ended: ending && endingText(ending) };
	return rowNote({ title, state, waits, ending, doing, dialog }, texts);
}

/** Returns a string that changes whenever the session's file, name or saved recap changes. */
export function versionOf({ size, changed, name, recap }: SessionSummary): string {
	return `${size}:${changed}:${recap?.created_at ?? ""}:${name ?? ""}`;
}

function endingOf(
	{ last, format, modified }: SessionSummary,
	current: Pick<SessionRecord, "outcome"> | undefined,
): Ending | undefined {
	if (last?.stopReason === "error")
		return { outcome: "error", reason: cleaned(readableError(last.errorMessage ?? "")) ?? "" };
	if (current) return current.outcome === "done" ? undefined : { outcome: current.outcome };
	if (!last) return undefined;
	if (last.stopReason === "aborted") return { outcome: "aborted" };
	const unfinished =
		last.role === "assistant"
			? last.stopReason !== "stop"
			: last.role === "user" || last.role === "toolResult";
	if (!unfinished) return undefined;
	return { outcome: "running", ...(!format.canOpen && { activeAt: modified }) };
}

function cleaned(text: string | undefined): string | undefined {
	return text === undefined ? undefined : cleanLine(text) || undefined;
}

export function liveTitle(
	sessionId: string,
	leases: readonly Lease[],
	called = ({ title }: SessionView) => title,
): string | undefined {
	const views = new Map<string, SessionView>();
	for (const lease of leases) {
		const read = lease.sessionFile === undefined ? undefined : summarize(lease.sessionFile);
		if (!read?.ok) continue;
		const view = viewOf(read.record.summary, lease);
		views.set(lease.sessionId, { ...view, title: called(view) });
	}
	return toldApart([...views.values()]).find(({ id }) => id === sessionId)?.title;
}

export type SessionJson = ReturnType<typeof sessionJson>;

export function sessionJson(view: SessionView) {
	const { lease, recap: newest } = view;
	return {
		id: view.id,
		agent: view.format.name,
		mark: view.format.mark,
		title: view.title,
		title_source: view.titleSource,
		kind: view.kind,
		branch: view.branch ?? null,
		state: view.state,
		interactive: view.interactive,
		since: lease ? seconds(lease.since) : null,
		pid: lease?.pid ?? null,
		doing: lease?.doing ?? null,
		steps: lease?.steps ?? null,
		dialog: lease?.dialog ?? null,
		waiting_since: view.waitingSince === undefined ? null : seconds(view.waitingSince),
		cwd: view.cwd,
		project: view.project,
		path: view.path,
		...(view.newerFile !== undefined && { newer_file: view.newerFile }),
		created_at: seconds(view.created),
		modified_at: seconds(view.modified),
		model: modelText(view) ?? null,
		size: view.size,
		first_prompt: view.firstPrompt ?? null,
		parent_session: view.parentSession ?? null,
		...(view.planted && { planted: true }),
		readable: view.hostReads,
		failed: view.state === "failed" || view.ending?.outcome === "error",
		ending: view.ending ? endingText(view.ending) : null,
		waits: view.waits,
		last_message_id: view.last?.id ?? null,
		next: view.next?.text ?? null,
		next_kind: view.next?.kind ?? null,
		overlaps: view.overlaps.map(({ path, session, at }) => ({ path, session, at: seconds(at) })),
		recap: newest ? recapJson(newest, view.record !== undefined) : null,
	};
}

export function seconds(ms: number): number {
	return Math.floor(ms / 1_000);
}

function recapJson({ id, headline, outcome, bullets, next_actions }: SessionRecord, fresh: boolean) {
	return { id, fresh, headline, outcome, bullets, next_actions };
}
