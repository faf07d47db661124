import type { PathNamer } from "./paths.ts";
import type { Step } from "./turns.ts";
import type { FileChange } from "./types.ts";

/** One file change that the log shows as done. */
export type FileEdit = Omit<FileChange, "inThread" | "times" | "age">;

const EDITORS = /^(?:edit|multi_?edit|str_?replace\w*|apply_patch|patch|ast_edit|edit_file|replace|insert)$/i;
const WRITERS = /^(?:write|write_file|create|create_file|save)$/i;
const READERS = /^(?:read|read_file|view|open_file|cat|fetch|web_fetch|webfetch|read_url\w*)$/i;

/**
 * The files that a tool call changed. Only calls whose result says so count: a call without a result was cut off, one with an
 * error changed nothing.
 */
export function readEdits(step: Step, name: PathNamer): FileEdit[] {
	const { result, call } = step;
	if (!result || result.isError) return [];
	if (EDITORS.test(call.name)) {
		const paths = editedPaths(step);
		const { added, removed } = diffCounts(result.diff, call.args);
		return paths.map((path, index) => ({
			path: name(path),
			kind: "edited",
			added: index === 0 ? added : 0,
			removed: index === 0 ? removed : 0,
		}));
	}
	if (!WRITERS.test(call.name)) return [];
	const path = pathArg(call.args) ?? namedByHost(step);
	if (path === undefined) return [];
	const content = call.args["content"];
	const added = typeof content === "string" ? content.split("\n").length : 0;
	return [{ path: name(path), kind: "written", added, removed: 0 }];
}

/** The file or page that a tool call read. */
export function readSource(step: Step, name: PathNamer): string | undefined {
	if (!READERS.test(step.call.name) || !step.result || step.result.isError) return undefined;
	const path = pathArg(step.call.args);
	if (path === undefined) return undefined;
	// Some readers take a range of lines behind the path.
	const bare = path.replace(/:\d+(?:-\d+)?$/, "");
	if (/^https?:\/\//.test(bare)) return bare;
	return looksLikeFile(bare) ? name(bare) : undefined;
}

/** Folders are read too; they are nothing to open again. */
function looksLikeFile(path: string): boolean {
	return /[^/.][^/]*\.\w{1,10}$|(?:^|\/)(?:\.\w[\w.-]*|[A-Z][A-Za-z]+)$/.test(path);
}

/** No file system takes a longer one. */
const PATH_BOUND = 4_096;

function pathArg(args: Record<string, unknown>): string | undefined {
	for (const key of ["path", "file_path", "filePath", "filename", "file", "target_file", "url"]) {
		const value = args[key];
		if (typeof value === "string" && value.length <= PATH_BOUND && value.trim() !== "") return value;
	}
	return undefined;
}

/**
 * Editors with their own patch format name the files inside it (`*** Update File: a`, `§a`), or in the first line of the result
 * (`folder/a:`), which is resolved and therefore better.
 */
function editedPaths(step: Step): string[] {
	const { args } = step.call;
	const echoed = step.result?.text.match(/^([^\s:][^\n:]{0,200}\.\w+):\s*(?:\n|$)/)?.[1];
	if (echoed) return [echoed];
	const direct = pathArg(args) ?? namedByHost(step);
	if (direct) return [direct];
	const patch = args["input"] ?? args["patch"] ?? args["diff"];
	if (typeof patch !== "string") return [];
	const named = patch
		.slice(0, PATCH_BOUND)
		.matchAll(/^(?:\*\*\* (?:Update|Add|Delete) File: |§|\+\+\+ (?:b\/)?)([^\n§]+)$/gm);
	return [...new Set([...named].map((match) => (match[1] ?? "").trim()))].filter(
		(path) => path !== "/dev/null",
	);
}

/** The file in what the host's own tools answer; for calls that stood in a line that is lost. */
function namedByHost({ result }: Step): string | undefined {
	return result?.text.match(
		/^Successfully (?:wrote \d+ bytes to|replaced (?:text|\d+ block\(s\)) in) (\S.{0,400}?)\.?$/m,
	)?.[1];
}

/** Characters of a patch that are searched for the files that it names. */
const PATCH_BOUND = 400_000;

/** Added and removed lines, from the host's diff if it kept one, else from the texts of the call. */
function diffCounts(diff: string, args: Record<string, unknown>): { added: number; removed: number } {
	let added = 0;
	let removed = 0;
	if (diff !== "") {
		for (let index = 0; index >= 0 && index < diff.length; ) {
			if (diff[index] === "+") added++;
			else if (diff[index] === "-") removed++;
			const next = diff.indexOf("\n", index);
			index = next < 0 ? -1 : next + 1;
		}
		return { added, removed };
	}
	const { oldText, newText } = args;
	if (typeof oldText === "string") removed = oldText.split("\n").length;
	if (typeof newText === "string") added = newText.split("\n").length;
	return { added, removed };
}
