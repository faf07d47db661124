import { homedir } from "node:os";
import type { Recap } from "../../session-core/recap/record.ts";
import { stateLine } from "../../session-core/recap/text.ts";
import type { SessionSummary } from "../../session-core/store/summary.ts";
import { foldCase } from "../../session-core/text/fold.ts";
import { cleanLine } from "../../session-core/text/sanitize.ts";
import { ENGLISH } from "../../session-core/words/en.ts";
import type { BoardWords, Words } from "../../session-core/words/words.ts";
import { markOf } from "./mark-name.ts";
import type { Row, TitleSource } from "./types.ts";

const HOME = homedir();
const WAITING = { outcome: "waiting" } as const;

/** Kinds that nobody looks for by hand: runs without a user, and sessions that other sessions started. */
const BACKGROUND: ReadonlySet<Row["kind"]> = new Set(["headless", "child"]);

/** The row of a session. The summary's texts are clean and redacted; cleaning them again costs little and trusts no cache. */
export function rowOf(summary: SessionSummary, here: boolean, words: Words = ENGLISH): Row {
	const { recap, last } = summary;
	const current = recap && last && recap.last_message_id === last.id ? recap : undefined;
	const work = last && summary.work?.of === last.id ? summary.work : undefined;
	const { title, titleSource } = titleOf(summary, words.board);
	return {
		path: summary.path,
		id: summary.id,
		cwd: summary.cwd,
		here,
		title,
		titleSource,
		prompt: line(summary.firstPrompt),
		next: line(current ? current.next_actions[0] : work?.next),
		ending: endingOf(summary, current ?? (work?.waits ? WAITING : undefined), words),
		waits: current ? current.outcome === "waiting" : (work?.waits ?? false),
		modified: summary.modified,
		kind: summary.kind,
		parent: summary.parentSession,
		mark: markOf(summary.path),
		model: line(summary.model && `${summary.model.provider}/${summary.model.id}`),
		provider: summary.model && { name: summary.model.provider, model: summary.model.id },
		created: summary.created,
		size: summary.size,
		// Set for the session, whatever was said since; a fork has its parent's records, and is the fork that they ask for.
		branches: recap?.resume_hint?.branch_on_resume === true && recap.subject_id === summary.id,
		hostReads: summary.hostReads,
		recap: current,
		match: matchTexts(summary, title),
		stamp: stampOf(summary),
	};
}

/** Tells two states of a session's file apart; its name, and what it is about, may be found later than the rest. */
export function stampOf({ size, changed, name, work }: SessionSummary): string {
	return `${size}:${changed}:${work?.of ?? ""}:${name ?? ""}`;
}

/** The row under another name. */
export function renamed(row: Row, name: string): Row {
	return {
		...row,
		title: name,
		titleSource: "manual",
		match: { title: folded(name), text: `${folded(name)}\n${row.match.text}` },
	};
}

/** Whether nobody looks for it by hand. */
export function isBackground({ kind }: Pick<Row, "kind">): boolean {
	return BACKGROUND.has(kind);
}

/** Text as it is matched: no difference in case, and none between composed and decomposed accents. */
export function folded(text: string): string {
	return foldCase(text.normalize("NFC"));
}

/** A project's folder as people write it: the home folder as `~`. */
export function projectOf(cwd: string, home = HOME): string {
	const path = cleanLine(cwd);
	return home !== "" && (path === home || path.startsWith(`${home}/`)) ? `~${path.slice(home.length)}` : path;
}

function titleOf(
	{ name, nameSource, work, firstPrompt }: SessionSummary,
	words: BoardWords,
): {
	title: string;
	titleSource: TitleSource;
} {
	const named = line(name);
	if (named) return { title: named, titleSource: nameSource ?? "manual" };
	// What it was about a moment ago still says more than its first prompt.
	const prompt = line(work?.title) ?? line(firstPrompt);
	return prompt ? { title: prompt, titleSource: "prompt" } : { title: words.noMessages, titleSource: "none" };
}

/** By the recap if it is current, else by the last message alone. */
function endingOf(
	{ last }: SessionSummary,
	current: Pick<Recap, "outcome"> | undefined,
	words: Words,
): string | undefined {
	const { outcome } = words;
	if (current) return stateLine(current, words) || undefined;
	if (!last) return undefined;
	if (last.stopReason === "error") return line(outcome.failed(last.errorMessage ?? outcome.noReason));
	if (last.stopReason === "aborted") return outcome.aborted;
	const unfinished = last.role === "user" || last.role === "toolResult" || last.stopReason === "toolUse";
	return unfinished ? outcome.running : undefined;
}

function matchTexts(summary: SessionSummary, title: string): Row["match"] {
	const { recap, firstPrompt, cwd, id } = summary;
	const said = recap ? [recap.headline, ...recap.bullets, ...recap.next_actions] : [];
	const text = [title, firstPrompt, ...said, projectOf(cwd), id].filter(Boolean).join("\n");
	return { title: folded(title), text: folded(text) };
}

function line(text: string | undefined): string | undefined {
	return text === undefined ? undefined : cleanLine(text) || undefined;
}
