import { cleanLine, headUnits, type PathNamer, safeText } from "../../text/index.ts";
import { isEvicted, type ToolCall } from "../index.ts";
import { parseShell, shellRemovals } from "./shell.ts";
import { type FileChange, type FileEdit, stepsOf, type Turn } from "./turn.ts";

export const NO_LINES = { added: 0, removed: 0, diff: "" } as const;

const KEPT = 60;

export function changedFiles(turns: readonly Turn[], name: PathNamer): FileChange[] {
	const files = new Map<string, FileChange>();
	for (const [turn, one] of turns.entries()) {
		for (const step of stepsOf(one)) {
			if (step.outcome !== "ok") continue;
			const isRemoval = step.command !== undefined && /\b(?:mv|rm)\b/.test(step.command);
			for (const gone of isRemoval ? shellRemovals(parseShell(step.command ?? ""), name) : [])
				for (const path of [...files.keys()])
					if (path === gone || path.startsWith(`${gone}/`)) remove(files, path, turn);
			for (const edit of step.edits) {
				if (edit.kind === "removed" && files.has(edit.path)) {
					remove(files, edit.path, turn);
					continue;
				}
				const merged = mergedEdit(files.get(edit.path), edit);
				files.delete(edit.path);
				files.set(edit.path, { ...merged, turn });
			}
		}
	}
	return [...files.values()].slice(-KEPT);
}

/**
 * Removes a deleted file from the list of changed files if the session created the file. A file that
 * existed before the session is listed as removed.
 */
function remove(files: Map<string, FileChange>, path: string, turn: number): void {
	const file = files.get(path);
	files.delete(path);
	if (file?.kind === "edited") files.set(path, { ...file, kind: "removed", turn });
}

export function mergedEdit(known: FileChange | undefined, edit: FileEdit): FileChange {
	return {
		path: edit.path,
		kind: known && known.kind !== "removed" ? known.kind : edit.kind,
		diff: edit.diff,
		added: edit.added + (known?.added ?? 0),
		removed: edit.removed + (known?.removed ?? 0),
		times: 1 + (known?.times ?? 0),
		turn: known?.turn ?? 0,
	};
}

const EDITORS = /^(?:edit|multi_?edit|str_?replace\w*|apply_patch|patch|ast_edit|edit_file|replace|insert)$/i;
const WRITERS = /^(?:write|write_file|create|create_file|save)$/i;

export function isEditor(name: string): boolean {
	return EDITORS.test(name) || WRITERS.test(name);
}

export function readEdits(
	call: ToolCall,
	result: { text: string; diff: string },
	looks: boolean,
	name: PathNamer,
): FileEdit[] {
	if (EDITORS.test(call.name)) {
		const path = pathOf(call.args) ?? namedByHost(result.text);
		if (path === undefined) return sectionsOf(call.args).map((edit) => ({ ...edit, path: name(edit.path) }));
		const diff = result.diff || diffOf(textOf(call.args["oldText"]), textOf(call.args["newText"]));
		return [{ path: name(path), kind: "edited", ...diffCounts(diff), diff }];
	}
	if (WRITERS.test(call.name)) {
		const path = pathOf(call.args) ?? namedByHost(result.text);
		const diff = diffOf("", textOf(call.args["content"]));
		return path === undefined ? [] : [{ path: name(path), kind: "written", ...diffCounts(diff), diff }];
	}
	if (looks) return [];
	const saved = pathOf(call.args, PRODUCT_KEYS) ?? SAVED.exec(result.text.slice(0, 2_000))?.[1];
	return saved === undefined || !FILE_LIKE.test(saved)
		? []
		: [{ path: name(saved), kind: "written", ...NO_LINES }];
}

/** The maximum length of a path in characters. Longer strings are not valid paths on Linux. */
const PATH_BOUND = 4_096;
const PATH_KEYS = ["path", "file_path", "filePath", "filename", "file", "target_file", "url"];
const PRODUCT_KEYS = ["output_path", "outputPath", "output_file", "output", "destination", "dest", "target"];
const FILE_LIKE = /^(?!https?:)[^\s"'<>|*?]{1,400}\.\w{1,8}$/;

export function pathOf(
	args: Record<string, unknown>,
	keys: readonly string[] = PATH_KEYS,
): string | undefined {
	const texts = keys.map((key) => args[key]).filter((value) => typeof value === "string");
	return texts.find((text) => text.length <= PATH_BOUND && text.trim() !== "")?.trim();
}

const SAVED =
	/\b(?:created|saved|wrote|written|generated|exported|updated)\b[^\n/~.\w]{0,12}(?:\d+ \w+ )?(?:(?:file|to|at|in|as)[: ] *)*[`'"]?((?:~?\/|\.{1,2}\/|[\w-]+\/)?[\w./@~-]*[\w-]\.[A-Za-z]\w{0,7})\b/i;

const PATCH_BOUND = 400_000;
const SECTION = /^(?:\*\*\* (Update|Add|Delete) File: |\+\+\+ (?:b\/)?(?!\/dev\/null))(.+)$/;
const MOVED = /^\*\*\* Move to: (.+)$/m;
const KINDS = { Update: "edited", Add: "written", Delete: "removed" } as const;

function sectionsOf(args: Record<string, unknown>): FileEdit[] {
	const lines = textOf(args["input"] ?? args["patch"] ?? args["diff"])
		.slice(0, PATCH_BOUND)
		.split("\n");
	const starts = lines.flatMap((line, index) => (SECTION.test(line) ? [index] : []));
	return starts.map((start, index) => {
		const [, verb = "Update", path = ""] = SECTION.exec(lines[start] ?? "") ?? [];
		const section = lines
			.slice(start + 1, starts[index + 1])
			.filter((line) => !/^(?:---|\+\+\+) /.test(line));
		const side = (sign: string) =>
			section.flatMap((line) => (line.startsWith(sign) ? [line.slice(1)] : [])).join("\n");
		const diff = diffOf(side("-"), side("+"));
		const to = MOVED.exec(section[0] ?? "")?.[1];
		const kind = KINDS[verb as keyof typeof KINDS];
		return { path: (to ?? path).trim(), kind, ...diffCounts(diff), diff };
	});
}

function namedByHost(text: string): string | undefined {
	return text.match(
		/^Successfully (?:wrote \d+ bytes to|replaced (?:text|\d+ block\(s\)) in) (\S.{0,400}?)\.?$/m,
	)?.[1];
}

function textOf(value: unknown): string {
	return typeof value === "string" && !isEvicted(value) ? value : "";
}

const READ = 6_000;
export function diffOf(before: string, after: string): string {
	const signed = (sign: string, text: string): string[] =>
		text === "" ? [] : text.split("\n").map((line, index) => `${sign}${index + 1} ${line}`);
	return [...signed("-", before), ...signed("+", after)].join("\n");
}

export function diffCounts(diff: string): { added: number; removed: number } {
	const lines = diff.split("\n");
	const count = (sign: string): number => lines.filter((line) => line.startsWith(sign)).length;
	return { added: count("+"), removed: count("-") };
}

/**
 * Summarizes a diff as redacted text of about `room` characters, such as `old text → new text`. If no
 * changed line contains a letter or digit, the result is empty.
 */
export function changeLine(diff: string, room: number): string {
	const lines = diff.slice(0, READ).split("\n");
	const before = sideOf(lines, "-");
	const after = sideOf(lines, "+");
	const gone = before.filter((line) => !after.includes(line)).join(" / ");
	const came = after.filter((line) => !before.includes(line)).join(" / ");
	if (gone === "" || came === "") return headUnits(gone === "" ? came : `removed: ${gone}`, room);
	const half = Math.floor(room / 2) - 2;
	return `${headUnits(gone, half)} → ${headUnits(came, half)}`;
}

/** Redacts all lines before any line is cut, because a part of a secret key is still a secret. */
function sideOf(lines: readonly string[], sign: string): string[] {
	const signed = lines.filter((line) => line.startsWith(sign));
	const side = signed.map((line) => line.slice(1).replace(/^\s*\d+(?:[| ]|$)/, ""));
	const safe = safeText(side.join("\n")).split("\n").map(cleanLine);
	return safe.filter((line) => /[\p{L}\p{N}]/u.test(line) && !/\S{100}/.test(line));
}
