/** Finds the files that a shell command wrote, moved, removed or read. */
import type { PathNamer } from "../text/paths.ts";
import type { ShellLine } from "./shell-grammar.ts";

/** A file that a shell command wrote or edited in place. */
export interface ShellWrite {
	path: string;
	kind: "written" | "edited";
}

/** Returns the files that a shell command wrote through a redirection, `tee`, `cp` or an in-place editor. */
export function shellWrites({ folder, segments }: ShellLine, name: PathNamer): ShellWrite[] {
	const writes: ShellWrite[] = [];
	const add = (path: string | undefined, kind: ShellWrite["kind"]): void => {
		if (!path || /^(?:\/dev\/|\/tmp\/|&|-|\$|\/var\/folders\/)/.test(path) || !/\w\.\w+$/.test(path)) return;
		writes.push({ path: name(inFolder(folder, path)), kind });
	};
	for (const { words, bare } of segments) {
		if (bare.includes(">")) add(bare.match(/(?:^|[^0-9&>])>{1,2}\s*([\w./~-]+)/)?.[1], "written");
		if (words[0] === "tee" || (words[0] === "cp" && words.length >= 3)) add(words.at(-1), "written");
		if (words[0] === "sed" && /\s-\w*i/.test(bare)) add(words.at(-1), "edited");
	}
	return writes;
}

/** Matches programs whose arguments name the files that they read. */
const VIEWERS = /^(?:cat|bat|head|tail|less|sed|awk|grep|rg|wc|nl|diff|code|open|vim?|nano|jq)$/;
const FILE_WORD = /^(?!\/(?:tmp|dev|proc)\/)[\w~.@/][\w./~@-]*\.[A-Za-z]\w{0,9}$/;

/** Returns the files that a shell command read. */
export function shellReads({ folder, segments }: ShellLine, name: PathNamer): string[] {
	const paths: string[] = [];
	for (const { words } of segments) {
		const isGit = words[0] === "git" && words.some((word) => /^(?:diff|show|log|blame|add)$/.test(word));
		if (!isGit && !VIEWERS.test(words[0] ?? "")) continue;
		for (const word of words.slice(1, 40)) {
			if (!FILE_WORD.test(word)) continue;
			const path = name(inFolder(folder, word));
			// A bare file name is skipped, because the command line may change the folder with `cd` and the name could refer to a file in
			// any of the folders.
			if (path.includes("/")) paths.push(path);
		}
	}
	return paths;
}

/** Returns the old and new paths of the files that a shell command renamed, as they appear in a timeline. */
export function shellMoves({ folder, segments }: ShellLine, name: PathNamer): { from: string; to: string }[] {
	const moves: { from: string; to: string }[] = [];
	for (const { words } of segments) {
		const at = words[0] === "mv" ? 1 : 2;
		if (words[0] !== "mv" && !(words[0] === "git" && words[1] === "mv")) continue;
		const [from, to, ...more] = words.slice(at).filter((word) => !word.startsWith("-"));
		if (!from || !to || more.length > 0) continue;
		const isFolder = to.endsWith("/") || !/\.\w+$/.test(to);
		const target = isFolder ? `${to.replace(/\/$/, "")}/${from.slice(from.lastIndexOf("/") + 1)}` : to;
		moves.push({ from: name(inFolder(folder, from)), to: name(inFolder(folder, target)) });
	}
	return moves;
}

/**
 * Returns a function that checks whether a shell command removed a file, given the file's path in a timeline. Undefined if the command
 * removes no files.
 */
export function removalOf(
	{ folder, segments }: ShellLine,
	name: PathNamer,
): ((path: string) => boolean) | undefined {
	const removed: RegExp[] = [];
	for (const { words } of segments) {
		if (words[0] !== "rm" && !(words[0] === "git" && words[1] === "rm")) continue;
		for (const word of words.slice(1, 40)) {
			if (word.startsWith("-") || !/\w/.test(word) || /[<>]/.test(word)) continue;
			const escaped = name(inFolder(folder, word))
				.replace(/[.+^${}()|[\]\\?]/g, "\\$&")
				.replace(/\*+/g, "[^/]*");
			removed.push(new RegExp(`^${escaped}(?:/|$)`));
		}
	}
	return removed.length === 0 ? undefined : (path) => removed.some((pattern) => pattern.test(path));
}

function inFolder(folder: string | undefined, path: string): string {
	return folder && !/^[~/]/.test(path) ? `${folder}/${path.replace(/^\.\//, "")}` : path;
}
