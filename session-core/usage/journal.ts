import { accessSync, constants, statSync } from "node:fs";
import { basename, dirname } from "node:path";
import { type AppendFailure, appendRegular } from "../store/append-regular.ts";
import { closeRegular, errorCode, openRegular, readSpan } from "../store/regular-file.ts";

/** Why a journal cannot be kept. */
export interface JournalProblem {
	path: string;
	/** `too_large`: more than is read. */
	reason: AppendFailure | "unreadable" | "too_large";
	/** The system's own words. */
	detail: string;
}

export type JournalLines = { ok: true; lines: string[] } | { ok: false; problem: JournalProblem };

/**
 * A file of lines that any number of processes append to without a lock: a line is one small append, which the platform
 * keeps whole, so all of them see the same lines in the same order.
 */
export interface Journal {
	readonly path: string;
	/** Every line, oldest first; behind them what this process has written and the file does not hold (any more). */
	read(): JournalLines;
	/** The lines that this process has written itself: what is known where the file cannot be read. */
	own(): readonly string[];
	/** Undefined: it is on disk. What is not is remembered until the process ends. */
	append(line: string): JournalProblem | undefined;
	/** What would keep a line from being written or read now; writes nothing. */
	check(): JournalProblem | undefined;
}

/** A day of ten thousand calls has about 5 MB. What cannot be read whole cannot be counted. */
const MAX_BYTES = 8 * 1024 * 1024;

/** The host loads each extension with its own copy of this module; what the process wrote is one. */
const REGISTRY = Symbol.for("pi-session-suite:journals");

export function openJournal(path: string): Journal {
	const own = linesOfProcess(path);
	const read = (): JournalLines => {
		const text = readWhole(path);
		if (!text.ok) return text;
		const lines = text.text.split("\n").filter((line) => line !== "");
		const onDisk = new Set(lines);
		return { ok: true, lines: [...lines, ...own.filter((line) => !onDisk.has(line))] };
	};
	return {
		path,
		read,
		own: () => own,
		append(line) {
			own.push(line);
			const appended = appendRegular(path, `${line}\n`);
			return appended.ok ? undefined : { path, reason: appended.reason, detail: appended.detail };
		},
		check() {
			const text = readWhole(path);
			return text.ok ? unwritable(path) : text.problem;
		},
	};
}

function linesOfProcess(path: string): string[] {
	const shared = globalThis as { [REGISTRY]?: Map<string, string[]> };
	shared[REGISTRY] ??= new Map();
	const lines = shared[REGISTRY].get(path) ?? [];
	shared[REGISTRY].set(path, lines);
	return lines;
}

function readWhole(path: string): { ok: true; text: string } | { ok: false; problem: JournalProblem } {
	const opened = openRegular(path);
	if (!opened.ok) {
		if (opened.reason === "missing") return { ok: true, text: "" };
		return { ok: false, problem: { path, reason: opened.reason, detail: opened.detail } };
	}
	const { file } = opened;
	try {
		const { size } = file.stamp;
		if (size > MAX_BYTES)
			return { ok: false, problem: { path, reason: "too_large", detail: `${size} bytes` } };
		return { ok: true, text: readSpan(file, 0, size).toString("utf8") };
	} catch (error) {
		return { ok: false, problem: { path, reason: "unreadable", detail: String(error) } };
	} finally {
		closeRegular(file);
	}
}

/** Whether the file, or the nearest folder above it that there is, may be written. */
function unwritable(path: string): JournalProblem | undefined {
	for (let at = path; ; at = dirname(at)) {
		try {
			if (at !== path && !statSync(at).isDirectory()) {
				return { path: at, reason: "not_regular", detail: `ENOTDIR: ${at} is no folder` };
			}
			accessSync(at, constants.W_OK);
			return undefined;
		} catch (error) {
			const isMissing = ["ENOENT", "ENOTDIR"].includes(errorCode(error));
			if (!isMissing || dirname(at) === at) {
				return {
					path: at,
					reason: "unwritable",
					detail: error instanceof Error ? error.message : String(error),
				};
			}
		}
	}
}

/** What is wrong with a journal and how it is mended: one line for the user. */
export function describeProblem({ path, reason, detail }: JournalProblem): string {
	return `${path} ${WRONG[reason]}. ${remedy(path, reason, detail)}`;
}

const WRONG: Readonly<Record<JournalProblem["reason"], string>> = {
	not_regular: "is in the way: no regular file of ours",
	symlink: "is a symbolic link, which is not followed",
	unreadable: "cannot be read",
	unwritable: "cannot be written",
	too_large: "is too large to be read",
};

function remedy(path: string, reason: JournalProblem["reason"], detail: string): string {
	if (reason === "not_regular" || reason === "symlink" || reason === "too_large") return "Move it away.";
	if (/\b(?:EACCES|EPERM)\b/.test(detail))
		return `Make it yours again: sudo chown -R "$USER" "${ours(path)}"`;
	if (/\b(?:ENOSPC|EDQUOT)\b/.test(detail)) return "Make room on the disk.";
	if (/\bEROFS\b/.test(detail)) return "The disk is mounted read-only.";
	if (/\b(?:ENOTDIR|EEXIST)\b/.test(detail)) return "A file stands where its folder belongs: move that away.";
	return `The system says: ${detail.split(/, \w+(?: '|$)/, 1)[0]}.`;
}

/** The folder of the suite that a path lies in: all of it belongs to the user. */
function ours(path: string): string {
	for (let at = path; dirname(at) !== at; at = dirname(at)) if (basename(at) === "session-suite") return at;
	return path;
}
