import { readableError } from "../log/timeline/index.ts";
import {
	currentRecord,
	type Ending,
	endingText,
	type NextStep,
	openOf,
	type SessionRecord,
} from "../recap/index.ts";
import { baseName, cleanLine, clipColumns, foldCase, type ModelName, shownPath } from "../text/index.ts";
import type { Lease, LeaseState } from "./live/index.ts";
import type { Overlap } from "./overlaps.ts";
import { fileIdOf, searchedText, withState } from "./session-list.mjs";
import { type RowNote, rowNote } from "./session-looks.mjs";
import { type SessionSummary, type SessionWork, summarize, titleOf } from "./summary.ts";

/**
 * `manual` marks a name that the user chose, and `auto` a name that a model wrote. The other values say where
 * the title of an unnamed session comes from.
 */
export type TitleOrigin = "manual" | "auto" | SessionWork["source"] | "prompt" | "none";

/** `closed` means that no process has the session open. */
export type SessionState = LeaseState | "closed";

/**
 * The view of a session that all user interfaces share. Texts are sanitized and redacted, but paths are
 * unchanged. Times are in milliseconds.
 */
export interface SessionView
	extends Omit<SessionSummary, "name" | "nameSource" | "nameSettled" | "work" | "model"> {
	fileId: string;
	project: string;
	title: string;
	titleSource: TitleOrigin;
	state: SessionState;
	since: number | undefined;
	pid: number | undefined;
	/** The last action in the current run, such as a command. `steps` counts the run's tool calls. */
	doing: string | undefined;
	steps: number | undefined;
	/** The title of an open dialog. pi versions earlier than 0.84.4 do not report dialogs. */
	dialog: string | undefined;
	ending: Ending | undefined;
	waits: boolean;
	waitingSince: number | undefined;
	next: NextStep | undefined;
	/** The saved recap, or undefined if the recap is outdated. */
	record: SessionRecord | undefined;
	model: string | undefined;
	modelName: ModelName | undefined;
	/**
	 * True if the session file may come from a repository. In that case, the user must see the next step
	 * before it is sent.
	 */
	planted: boolean;
	branch: string | undefined;
	interactive: boolean;
	foldedTitle: string;
	searched: string;
	version: string;
}

type OpenBy = Pick<Lease, "state" | "since" | "pid" | "doing" | "steps" | "dialog" | "isInteractive">;

/** The texts are sanitized again, because the cache may have been changed by another program. */
export function viewOf(summary: SessionSummary, lease?: OpenBy): SessionView {
	const { path, cwd, modified, last, recap, name, nameSource, work, model, newerFile, isArchived } = summary;
	const record = currentRecord({ stamp: last?.id, stored: recap });
	const title = cleaned(titleOf(summary));
	const isNamed = cleaned(name) !== undefined;
	const source = isNamed ? (nameSource ?? "manual") : (work?.title && work.source) || "prompt";
	const project = shownPath(cwd);
	const open = record ? openOf(record) : (work ?? NOTHING_OPEN);
	const next = cleaned(open.next?.text);
	// Spreading the summary instead of copying each field would take ten times as long.
	const view: SessionView = {
		path,
		id: summary.id,
		format: summary.format,
		cwd,
		created: summary.created,
		modified,
		changed: summary.changed,
		size: summary.size,
		parentSession: summary.parentSession,
		kind: summary.kind,
		last,
		recap,
		hostReads: summary.hostReads,
		...(newerFile !== undefined && { newerFile }),
		...(isArchived && { isArchived }),
		state: "closed",
		since: undefined,
		pid: undefined,
		doing: undefined,
		steps: undefined,
		dialog: undefined,
		interactive: false,
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
		model: cleaned(model && `${model.provider}/${model.id}`),
		modelName: model,
		planted: summary.planted ?? false,
		branch: recap?.workspace?.git_branch,
		foldedTitle: foldCase(title ?? ""),
		searched: searchedText({ title, prompt: summary.firstPrompt, recap, project }),
		version: versionOf(summary),
	};
	return lease ? withLease(view, lease) : view;
}

const WAITING = { outcome: "waiting" } as const;
const NOTHING_OPEN = { waits: false, next: undefined };

export function withLease(view: SessionView, { isInteractive = false, ...live }: OpenBy): SessionView {
	const { since, pid, doing, steps, dialog } = live;
	return { ...withState(view, live), since, pid, doing, steps, dialog, interactive: isInteractive };
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
	if (titled.size === 0) return [...views];
	return views.map((view) => ({ ...view, title: titled.get(view) ?? view.title }));
}

const baseNameOf = ({ project }: SessionView) => baseName(project);
const promptMark = ({ firstPrompt = "" }: SessionView) => clipColumns(firstPrompt, 30);
const shortIdOf = ({ id }: SessionView) => cleanLine(id).slice(-6);

export function noteOf(view: SessionView): RowNote | undefined {
	const { next, ending } = view;
	return rowNote(view, { next: next?.text, ended: ending && endingText(ending) });
}

/** Returns a string that changes if the session's file, name or saved recap changes. */
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

export function sessionJson(view: SessionView, overlaps: readonly Overlap[] = []) {
	const { recap: newest } = view;
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
		since: view.since === undefined ? null : seconds(view.since),
		pid: view.pid ?? null,
		doing: view.doing ?? null,
		steps: view.steps ?? null,
		dialog: view.dialog ?? null,
		waiting_since: view.waitingSince === undefined ? null : seconds(view.waitingSince),
		cwd: view.cwd,
		project: view.project,
		path: view.path,
		...(view.newerFile !== undefined && { newer_file: view.newerFile }),
		created_at: seconds(view.created),
		modified_at: seconds(view.modified),
		model: view.model ?? null,
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
		overlaps: overlaps.map(({ path, session, at }) => ({ path, session, at: seconds(at) })),
		recap: newest ? recapJson(newest, view.record !== undefined) : null,
	};
}

export function seconds(ms: number): number {
	return Math.floor(ms / 1_000);
}

function recapJson({ id, headline, outcome, bullets, next_actions }: SessionRecord, fresh: boolean) {
	return { id, fresh, headline, outcome, bullets, next_actions };
}
