/** Finds the files that a tool call changed or read, according to its arguments and result. */
import type { ToolCall } from "../session-file/message.ts";
import { isEvicted } from "../session-file/message.ts";
import { diffCounts, diffOf } from "../text/diff.ts";
import type { PathNamer } from "../text/paths.ts";

/** A completed change of a file. */
export interface FileEdit {
	/** The path of the file, relative to the session's folder if the file is inside it. */
	path: string;
	/**
	 * How the file changed. `made`: a tool reports the file as its output. `moved` and `removed`: a shell command moved or removed the
	 * file.
	 */
	kind: "edited" | "written" | "made" | "moved" | "removed";
	added: number;
	removed: number;
	/** The changed lines; empty if the log does not contain them. */
	diff: string;
}

/** The parts of a call's result from which edits are read. */
export interface CallResult {
	text: string;
	/** The diff that the host made for an edit. */
	diff: string;
}

/** A change whose line counts are unknown. */
export const NO_LINES = { added: 0, removed: 0, diff: "" } as const;

const EDITORS = /^(?:edit|multi_?edit|str_?replace\w*|apply_patch|patch|ast_edit|edit_file|replace|insert)$/i;
const WRITERS = /^(?:write|write_file|create|create_file|save)$/i;

/** Whether a tool is one of the hosts' built-in tools for editing or writing files. */
export function isEditor(name: string): boolean {
	return EDITORS.test(name) || WRITERS.test(name);
}

/** Returns the files that a completed call changed. `looks`: whether the tool is known to be read-only. */
export function readEdits(call: ToolCall, result: CallResult, looks: boolean, name: PathNamer): FileEdit[] {
	if (EDITORS.test(call.name)) {
		const sections = result.diff === "" ? sectionsOf(patchOf(call)) : [];
		if (sections.length > 0) return sections.map((edit) => ({ ...edit, path: name(edit.path) }));
		const diff = result.diff || diffOf(textOf(call.args["oldText"]), textOf(call.args["newText"]));
		const lines = { ...diffCounts(diff), diff };
		return patchedPaths(call, result).map((path, index) => ({
			path: name(path),
			kind: "edited",
			...(index === 0 ? lines : NO_LINES),
		}));
	}
	if (WRITERS.test(call.name)) {
		const path = pathOf(call.args) ?? namedByHost(result.text);
		const diff = diffOf("", textOf(call.args["content"]));
		return path === undefined ? [] : [{ path: name(path), kind: "written", ...diffCounts(diff), diff }];
	}
	if (looks) return [];
	const made = producedPath(call) ?? savedPath(result.text);
	return made === undefined ? [] : [{ path: name(made), kind: "made", ...NO_LINES }];
}

/** Maximum length of a path that file systems accept. */
const PATH_BOUND = 4_096;
const PATH_KEYS = ["path", "file_path", "filePath", "filename", "file", "target_file", "url"];
const PRODUCT_KEYS = ["output_path", "outputPath", "output_file", "output", "destination", "dest", "target"];
/** Matches tools that create the file at their `path` argument. Other tools send, run or check the file that they are given. */
const MAKER =
	/(?:^|[_.-])(?:write|create|make|generate|export|save|render|convert|build|add|update|insert|append|set|put|edit|replace|modify|fill|format|apply|draw|new)/i;
const FILE_LIKE = /^(?!https?:)[^\s"'<>|*?]{1,400}\.\w{1,8}$/;

/** Returns the path or URL that the arguments of a call contain. */
export function pathOf(args: Record<string, unknown>): string | undefined {
	return firstPath(args, PATH_KEYS);
}

function firstPath(args: Record<string, unknown>, keys: readonly string[]): string | undefined {
	for (const key of keys) {
		const value = args[key];
		if (typeof value === "string" && value.length <= PATH_BOUND && value.trim() !== "") return value.trim();
	}
	return undefined;
}

function producedPath({ name, args }: ToolCall): string | undefined {
	const path = firstPath(args, MAKER.test(name) ? [...PRODUCT_KEYS, ...PATH_KEYS] : PRODUCT_KEYS);
	return path !== undefined && FILE_LIKE.test(path) ? path : undefined;
}

/** Matches a path next to a word that tools use to report that they wrote a file. */
const SAVED =
	/\b(?:created|saved|wrote|written|generated|exported|updated)\b[^\n/~.\w]{0,12}(?:\d+ \w+ )?(?:(?:file|to|at|in|as)[: ] *)*[`'"]?((?:~?\/|\.{1,2}\/|[\w-]+\/)?[\w./@~-]*[\w-]\.[A-Za-z]\w{0,7})\b/i;

function savedPath(text: string): string | undefined {
	return SAVED.exec(text.slice(0, 2_000))?.[1];
}

/**
 * Returns the files that a patch changes. Editing tools with their own patch format name the files inside the patch (`*** Update File: a`,
 * `§a`) or in the first line of the result (`folder/a:`). The path in the result is preferred, because it is already resolved.
 */
function patchedPaths(call: ToolCall, result: CallResult): string[] {
	const echoed = result.text.match(/^([^\s:][^\n:]{0,200}\.\w+):\s*(?:\n|$)/)?.[1];
	if (echoed) return [echoed];
	const direct = pathOf(call.args) ?? namedByHost(result.text);
	if (direct) return [direct];
	const named = patchOf(call).matchAll(
		/^(?:\*\*\* (?:Update|Add|Delete) File: |§|\+\+\+ (?:b\/)?)([^\n§]+)$/gm,
	);
	return [...new Set([...named].map((match) => (match[1] ?? "").trim()))].filter(
		(path) => path !== "/dev/null",
	);
}

/** Number of characters of a patch that are read. */
const PATCH_BOUND = 400_000;

function patchOf({ args }: ToolCall): string {
	return textOf(args["input"] ?? args["patch"] ?? args["diff"]).slice(0, PATCH_BOUND);
}

const SECTION = /^\*\*\* (Update|Add|Delete) File: (.+)$/;
const MOVED = /^\*\*\* Move to: (.+)$/m;
const KINDS = { Update: "edited", Add: "written", Delete: "removed" } as const;

/** Returns the changes of a patch in the format that states for each file whether it is updated, added or deleted. */
function sectionsOf(patch: string): FileEdit[] {
	const lines = patch.split("\n");
	const starts = lines.flatMap((line, index) => (SECTION.test(line) ? [index] : []));
	return starts.map((start, index) => {
		const [, verb, path = ""] = SECTION.exec(lines[start] ?? "") ?? [];
		const section = lines.slice(start + 1, starts[index + 1]);
		const side = (sign: string) =>
			section.flatMap((line) => (line.startsWith(sign) ? [line.slice(1)] : [])).join("\n");
		const diff = diffOf(side("-"), side("+"));
		const to = MOVED.exec(section[0] ?? "")?.[1];
		const kind = to === undefined ? KINDS[verb as keyof typeof KINDS] : "moved";
		return { path: (to ?? path).trim(), kind, ...diffCounts(diff), diff };
	});
}

/**
 * Returns the file that is named in the result of one of the host's own tools. This is needed if the log line with the tool call is lost.
 */
function namedByHost(text: string): string | undefined {
	return text.match(
		/^Successfully (?:wrote \d+ bytes to|replaced (?:text|\d+ block\(s\)) in) (\S.{0,400}?)\.?$/m,
	)?.[1];
}

function textOf(value: unknown): string {
	return typeof value === "string" && !isEvicted(value) ? value : "";
}
