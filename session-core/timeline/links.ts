/** Commits, pull requests and pages that the session made, by what its commands and tools printed. */
import { madeObject } from "../output/made-object.ts";
import { stepsOf } from "./turn.ts";
import type { Link, Step, Turn } from "./types.ts";

/** Characters of a result that are searched. */
const READ = 8_000;
const KEPT = 24;

/** `[branch 1a2b3c4] subject`, as `git commit` prints it. */
const COMMIT_LINE = /^\[[^\s\]]+(?: \([^)]*\))?(?: \([^)]*\))? ([0-9a-f]{7,40})\] (.+)$/gm;
/** A hash beside the word, as other tools print it. */
const COMMIT_WORD =
	/\b(?:commit|hash|revision)\w*\b[^\n]{0,40}?\b((?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40})\b/i;
/** `1a2b3c4..5d6e7f8  main -> main`, as `git push` prints it. */
const PUSH_LINE = /^[ \t+]*[0-9a-f]{7,40}\.{2,3}([0-9a-f]{7,40})[ \t]+(\S+)[ \t]*->[ \t]*(\S+)/m;
/** Not the page on which one could be made, which `git push` prints. */
const PAGE =
	/https?:\/\/[^\s<>"'`)\]}、，。]+\/(pull|pulls|issues|merge_requests|pull-requests|releases)\/(?!new\b)[^\s<>"'`)\]}、，。]+/g;
const MAKES_PAGES = /\b(?:gh|glab|hub) (?:pr|mr|issue|release)\b|\bgit\b[^\n]*\bpush\b|\bcurl\b.*-X\s*POST/;

/** The word alone: `--create-missing` and `src/create.ts` make nothing. */
const CREATES = /(?<![\w./-])create(?=\s|_|$)/i;

/** Oldest first; the newest evidence of one thing wins. */
export function madeLinks(turns: readonly Turn[]): Link[] {
	const links = new Map<string, Link>();
	turns.forEach((turn, index) => {
		for (const step of stepsOf(turn)) {
			if (step.looks || step.outcome === "pending") continue;
			for (const link of linksOf(step)) {
				const same = (key: string): boolean => key.startsWith(link.locator) || link.locator.startsWith(key);
				const known = [...links.keys()].find(same) ?? link.locator;
				const label = link.label || (links.get(known)?.label ?? "");
				links.delete(known);
				links.set(link.locator, { ...link, label, turn: index });
			}
		}
	});
	return [...links.values()].slice(-KEPT);
}

/** Whether the session made it, as its title shows, rather than only wrote to it. */
export function isTitled({ kind, label }: Link): boolean {
	return kind === "thing" || (kind === "page" && /^\w+ #\d+ \S/.test(label));
}

function linksOf({ name, command, argument, outcome, output: whole }: Step): Omit<Link, "turn">[] {
	const output = whole.slice(-READ);
	const isTool = command === undefined;
	const found: Omit<Link, "turn">[] = [];
	const commit = (hash: string | undefined, label: string): void => {
		if (hash !== undefined) found.push({ kind: "commit", locator: hash.slice(0, 12), label });
	};
	if (isTool || /\bgit\b/.test(command)) {
		for (const [, hash, subject = ""] of output.matchAll(COMMIT_LINE)) commit(hash, subject.trim());
		commit(PUSH_LINE.exec(output)?.[1], "");
	}
	if (isTool && found.length === 0 && outcome === "ok" && /commit/i.test(name))
		commit(COMMIT_WORD.exec(output)?.[1], argument.slice(0, 120));
	if (isTool || MAKES_PAGES.test(command))
		for (const [address] of output.matchAll(PAGE)) found.push(page(address, command ?? ""));
	if (found.length === 0 && outcome === "ok" && CREATES.test(command ?? name)) {
		const made = madeObject(whole);
		if (made) found.push({ kind: "thing", locator: made.id, label: made.title });
	}
	return found;
}

/** A page's name is its number, and its title where the command that made it gives one. */
function page(address: string, command: string): Omit<Link, "turn"> {
	const locator = address.replace(/[.,;:!?*_~|]+$/, "").replace(/#issuecomment-\d+$/, "");
	const [, kind = "", number = ""] = /\/(\w+(?:[-_]\w+)?)\/(\d+)(?:\/\w*)?$/.exec(locator) ?? [];
	const title = /\b(?:pr|issue|mr) create\b[^\n]*?--title\s+(["'])(.+?)\1/.exec(command)?.[2] ?? "";
	const name = /^issues/.test(kind) ? `issue #${number}` : `PR #${number}`;
	return {
		kind: "page",
		locator,
		label: number === "" ? locator.replace(/^https?:\/\//, "") : `${name} ${title}`.trim(),
	};
}
