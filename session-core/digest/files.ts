import type { PathNamer } from "./paths.ts";
import { splitCommand } from "./shell.ts";
import type { Step } from "./turns.ts";
import type { FileChange } from "./types.ts";

/** One file change that the log shows as done. */
export type FileEdit = Omit<FileChange, "inThread" | "times">;

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
	const path = pathArg(call.args);
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

/** Files that a shell command wrote through a redirection, `tee` or an in-place editor. */
export function shellWrites(command: string, name: PathNamer): FileEdit[] {
	const folder = folderOf(command);
	const edits: FileEdit[] = [];
	const add = (path: string | undefined, kind: FileEdit["kind"]): void => {
		if (!path || /^(?:\/dev\/|\/tmp\/|&|-|\$|\/var\/folders\/)/.test(path) || !/\w\.\w+$/.test(path)) return;
		edits.push({ path: name(inFolder(folder, path)), kind, added: 0, removed: 0 });
	};
	for (const { text } of splitCommand(command)) {
		const bare = text.replace(/"[^"]*"|'[^']*'/g, (quoted) => (/\s/.test(quoted) ? "''" : quoted.slice(1, -1)));
		add(bare.match(/(?:^|[^0-9&>])>{1,2}\s*([\w./~-]+)/)?.[1], "written");
		add(bare.match(/^(?:sudo )?tee (?:-a )?([\w./~-]+)/)?.[1], "written");
		const words = bare.trim().split(/\s+/);
		if (/^sed\b.*\s-\w*i/.test(bare)) add(words.at(-1), "edited");
		if (/^cp\s/.test(bare) && words.length >= 3) add(words.at(-1), "written");
	}
	return edits;
}

/** Programs whose arguments are files that somebody looked at. */
const VIEWERS = /^(?:cat|bat|head|tail|less|sed|awk|grep|rg|wc|nl|diff|code|open|vim?|nano|jq)$/;

/** Files that a shell command looked at. */
export function shellReads(command: string, name: PathNamer): string[] {
	const folder = folderOf(command);
	const paths: string[] = [];
	for (const { text } of splitCommand(command)) {
		const bare = text.replace(/"[^"]*"|'[^']*'/g, (quoted) => (/^.[\w./~@-]+.$/.test(quoted) ? quoted.slice(1, -1) : "''"));
		const words = bare.trim().split(/\s+/);
		const isGit = words[0] === "git" && /\b(?:diff|show|log|blame|add)\b/.test(bare);
		if (!isGit && !VIEWERS.test(words[0] ?? "")) continue;
		for (const word of words.slice(1, 40)) {
			if (!/^[\w~.@/][\w./~@-]*\/?[\w.-]+\.[A-Za-z]\w{0,9}$/.test(word) || /^\/(?:tmp|dev|proc)\//.test(word)) continue;
			const path = name(inFolder(folder, word));
			// A bare name may stand in any folder that the line changed to.
			if (path.includes("/")) paths.push(path);
		}
	}
	return paths;
}

/**
 * Files that a failed check's output names with a line number, as compilers and tests print them. Paths relative to some package
 * are completed by the files that the session knows.
 */
export function namedFiles(output: string, cwd: string | undefined, known: Iterable<string>, name: PathNamer): string[] {
	const paths = new Set<string>();
	for (const match of output.slice(-8_000).matchAll(/(?<![\w/.])((?:\.\.?\/|\/|\w)[\w./@+-]*\.\w{1,6})(?=[:(]\d)/g)) {
		if (paths.size === 4) break;
		const path = match[1] ?? "";
		const inside = cwd !== undefined && path.startsWith(`${cwd}/`);
		const full = inside ? name(path) : [...known].findLast((file) => file === path || file.endsWith(`/${path.replace(/^(?:\.\.?\/)+/, "")}`));
		if (full) paths.add(full);
	}
	return [...paths];
}

/** Renames that a shell command made, by the paths that files have in a digest. */
export function shellMoves(command: string, name: PathNamer): { from: string; to: string }[] {
	const folder = folderOf(command);
	const moves: { from: string; to: string }[] = [];
	for (const { text } of splitCommand(command)) {
		const words = text.trim().split(/\s+/).filter((word) => !word.startsWith("-"));
		const at = words[0] === "mv" ? 1 : 2;
		if (words[0] !== "mv" && !(words[0] === "git" && words[1] === "mv")) continue;
		const [from, to] = words.slice(at);
		if (words.length !== at + 2 || !from || !to) continue;
		const target = to.endsWith("/") || !/\.\w+$/.test(to) ? `${to.replace(/\/$/, "")}/${from.slice(from.lastIndexOf("/") + 1)}` : to;
		moves.push({ from: name(inFolder(folder, from)), to: name(inFolder(folder, target)) });
	}
	return moves;
}

/** Whether a shell command removed a file, by the path that it has in a digest. Undefined where it removes nothing. */
export function removalOf(command: string, name: PathNamer): ((path: string) => boolean) | undefined {
	const folder = folderOf(command);
	const removed: RegExp[] = [];
	for (const { text } of splitCommand(command)) {
		const words = text.trim().split(/\s+/);
		if (words[0] !== "rm" && !(words[0] === "git" && words[1] === "rm")) continue;
		for (const word of words.slice(1, 40)) {
			if (word.startsWith("-") || !/\w/.test(word) || /[<>]/.test(word)) continue;
			const path = name(inFolder(folder, word.replace(/^["']|["']$/g, "")));
			const escaped = path.replace(/[.+^${}()|[\]\\?]/g, "\\$&").replace(/\*+/g, "[^/]*");
			removed.push(new RegExp(`^${escaped}(?:/|$)`));
		}
	}
	return removed.length === 0 ? undefined : (path) => removed.some((pattern) => pattern.test(path));
}

/** The folder that a command line changes to first. */
function folderOf(command: string): string | undefined {
	return command.match(/^\s*cd\s+["']?([^\s"';&|]+)["']?\s*(?:&&|;|\n)/)?.[1];
}

function inFolder(folder: string | undefined, path: string): string {
	return folder && !/^[~/]/.test(path) ? `${folder}/${path.replace(/^\.\//, "")}` : path;
}

/** Folders are read too; they are nothing to open again. */
function looksLikeFile(path: string): boolean {
	return /[^/.][^/]*\.\w{1,10}$|(?:^|\/)(?:\.\w[\w.-]*|[A-Z][A-Za-z]+)$/.test(path);
}

function pathArg(args: Record<string, unknown>): string | undefined {
	for (const key of ["path", "file_path", "filePath", "filename", "file", "target_file", "url"]) {
		const value = args[key];
		if (typeof value === "string" && value.trim() !== "") return value;
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
	const direct = pathArg(args);
	if (direct) return [direct];
	const patch = args["input"] ?? args["patch"] ?? args["diff"];
	if (typeof patch !== "string") return [];
	const named = patch.matchAll(/^(?:\*\*\* (?:Update|Add|Delete) File: |§|\+\+\+ (?:b\/)?)([^\n§]+)$/gm);
	return [...new Set([...named].map((match) => (match[1] ?? "").trim()))].filter((path) => path !== "/dev/null");
}

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
