import { isCheck } from "./checks.ts";
import type { ShellLine, ShellSegment } from "./shell.ts";

/** Which command lines may have changed the session's files themselves: checks before them say nothing of what stands there now. */

/** Whether anything on a line may have changed files. */
export function mayChangeFiles(line: ShellLine, command: string): boolean {
	return line.segments.some(changesFiles) || writesInline(line, command);
}

/** Whether something behind a check of the same line may have. */
export function changesBehindCheck({ segments }: ShellLine): boolean {
	const check = segments.findIndex(({ words }) => isCheck(words));
	return check >= 0 && segments.slice(check + 1).some(changesFiles);
}

const GIT_PUTS_BACK =
	/\s(?:(?:mv|rm|apply|am|revert|cherry-pick|restore)\s|stash(?! (?:list|show|drop|clear))\s|reset (?:\S+ )*--hard|checkout (?:\S+ )?-- |checkout (?:\.|\S*\.\w{1,5}|\S+\/|[^\s-]\S* [A-Za-z.][\w./~-]*) )/;
/** Interpreters whose inline programs write files; what they are given is data to the shell. */
const INTERPRETER = /(?:^|\/)(?:python|node|ruby|perl|deno|bun|tsx)[\d.]*$/;
const WRITES_FILE =
	/\bwrite(?:File|TextFile|_text|_bytes)\w*\(|\bopen\([^)\n]*,\s*(?:mode=)?["'][wax]|\.write\(|File\.write|\bshutil\.|\bos\.(?:rename|replace|remove)\(/;
/** Tools that rewrite what they look at. */
const REWRITES =
	/\s(?:--fix|--write|--apply(?:-unsafe)?|--update-?snapshots?|--in-place)(?:\s|=|$)|\b(?:vitest|jest|ava)\b.*\s-u(?:\s|$)|\bprettier\b.*\s-w(?:\s|$)|\brubocop\b.*\s-[aA](?:\s|$)|\byq\b.*\s-i|\b(?:sed|perl)\s+-\w*i|[:._-](?:fix|write|update|format)(?:\s|$)|\b(?:ruff|dotnet|cargo|go) (?:format|fmt)\b|\b(?:black|isort)\s+(?!.*--check)/;

/** Whether a program in a here-document or behind `-c` writes files. */
export function writesInline({ segments }: ShellLine, command: string): boolean {
	return (
		segments.some(({ words }) => words.slice(0, 4).some((word) => INTERPRETER.test(word))) &&
		WRITES_FILE.test(command)
	);
}

/**
 * Whether a simple command may have changed the session's files: in-place editors, redirections, moves, and git putting back other
 * contents. Merges and pulls bring in what others checked, removals mostly clean up; neither is an edit.
 */
function changesFiles({ words, bare }: ShellSegment): boolean {
	const verb = words[0] ?? "";
	if (/^(?:mv|patch|rsync|unzip)$/.test(verb)) return true;
	if (verb === "sed" || verb === "perl" || verb === "gawk") return /\s-\w*i/.test(bare);
	if (/^(?:dd|truncate|ed|ex|prettier|black|gofmt|rustfmt)$/.test(verb))
		return !/\s(?:--check|-c|-l|-d)\b/.test(bare);
	if (/^(?:cargo|go|deno|ruff|mix|dart)$/.test(verb) && /^(?:fmt|format)$/.test(words[1] ?? ""))
		return !/\s--check/.test(bare);
	if (
		/^(?:npm|pnpm|yarn|bun|make)$/.test(verb) &&
		words.some((word) => /^(?:format|fmt|fix|codegen|generate)(?::[\w:-]+)?$/.test(word))
	)
		return true;
	if (verb !== "git" && REWRITES.test(bare)) return true;
	if (verb === "cp" || verb === "tee") return !/\s(?:~|\/tmp|\/var|\/dev)\S*$/.test(bare);
	if (verb === "git") return GIT_PUTS_BACK.test(`${bare} `);
	return bare.includes(">") && /(?:^|[^0-9&>=-])>{1,2}\s*(?!\/dev\/|\/tmp\/|&|')[\w./~$-]+/.test(bare);
}
