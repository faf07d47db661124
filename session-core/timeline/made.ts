/** Determines from a call's output which commits, pull requests, issues and other things the call created. */
import { isEvicted } from "../session-file/message.ts";
import type { Printed } from "./choose-result-lines.ts";

/** `thing`: has an id but no URL. */
export interface Made {
	kind: "commit" | "page" | "thing";
	/** Hash, URL or id. */
	locator: string;
	/** The subject of the commit, or the title of the page. */
	label: string;
}

/** The fields of a call that `madeBy` uses. */
interface Maker extends Pick<Printed, "outcome" | "output"> {
	name: string;
	argument: string;
	command: string | undefined;
}

/** Number of characters at the end of a result that are searched. */
const READ = 8_000;

/** Matches `[branch 1a2b3c4] subject`, as `git commit` prints it. */
const COMMIT_LINE = /^\[[^\s\]]+(?: \([^)]*\))?(?: \([^)]*\))? ([0-9a-f]{7,40})\] (.+)$/gm;
/** Matches a hash next to the word "commit", which is how other tools print commits. */
const COMMIT_WORD =
	/\b(?:commit|hash|revision)\w*\b[^\n]{0,40}?\b((?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40})\b/i;
/** Matches `1a2b3c4..5d6e7f8  main -> main`, as `git push` prints it. */
const PUSH_LINE = /^[ \t+]*[0-9a-f]{7,40}\.{2,3}([0-9a-f]{7,40})[ \t]+(\S+)[ \t]*->[ \t]*(\S+)/m;
/** Matches the URL of a pull request, issue or release, except for the URL that `git push` prints for opening a pull request. */
const PAGE =
	/https?:\/\/[^\s<>"'`)\]}、，。]+\/(pull|pulls|issues|merge_requests|pull-requests|releases)\/(?!new\b)[^\s<>"'`)\]}、，。]+/g;
const MAKES_PAGES = /\b(?:gh|glab|hub) (?:pr|mr|issue|release)\b|\bgit\b[^\n]*\bpush\b|\bcurl\b.*-X\s*POST/;

/** Matches `create` as a separate word, but not in `--create-missing` or `src/create.ts`. */
const CREATES = /(?<![\w./-])create(?=\s|_|$)/i;

/** Whether the created item has a title, which shows that the session created the item and did not only update it. */
export function isTitled({ kind, label }: Made): boolean {
	return kind === "thing" || (kind === "page" && /^\w+ #\d+ \S/.test(label));
}

/** Returns what a call created, according to its output. */
export function madeBy({ name, command, argument, outcome, output: whole }: Maker): Made[] {
	const output = whole.slice(-READ);
	const isTool = command === undefined;
	const found: Made[] = [];
	const commit = (hash: string | undefined, label: string): void => {
		if (hash !== undefined) found.push({ kind: "commit", locator: hash.slice(0, 12), label });
	};
	if (isTool || /\bgit\b/.test(command)) {
		for (const [, hash, subject = ""] of output.matchAll(COMMIT_LINE)) commit(hash, subject.trim());
		commit(PUSH_LINE.exec(output)?.[1], "");
	}
	if (isTool && found.length === 0 && outcome === "ok" && /commit/i.test(name))
		commit(COMMIT_WORD.exec(output)?.[1], argument.slice(0, 120));
	if (isTool || MAKES_PAGES.test(command) || (isEvicted(command) && isPage(output)))
		for (const [address] of output.matchAll(PAGE)) found.push(page(address, command ?? ""));
	if (found.length === 0 && outcome === "ok" && CREATES.test(command ?? name)) {
		const made = madeObject(whole);
		if (made) found.push({ kind: "thing", locator: made.id, label: made.title });
	}
	return found;
}

/** Whether an output consists only of the URL of a page. Commands that create a page print such output. */
function isPage(output: string): boolean {
	return output.trim().replace(PAGE, "") === "";
}

/** Returns the entry for a page. Its label is the page's number, followed by its title if the command that created the page sets one. */
function page(address: string, command: string): Made {
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

/** Matches the beginning of a JSON object, which may be preceded by warnings. */
const OPENING = /^\s*\{\s*$|^\s*\{\s*"/m;
const ID = /"(?:id|identifier|key|number)":\s*"?([\w#./-]{1,60})"?\s*[,}\n]/;
const TITLE = /"(?:title|name|subject|summary)":\s*"((?:[^"\\\n]|\\.){1,160})"/;

/** Returns the id and title of an object that a command created and printed as JSON. */
export function madeObject(output: string): { id: string; title: string } | undefined {
	const start = OPENING.exec(output.slice(0, 4_000))?.index;
	if (start === undefined) return undefined;
	const text = output.slice(start, start + 4_000);
	const id = ID.exec(text)?.[1];
	const title = TITLE.exec(text)?.[1];
	return id === undefined || title === undefined ? undefined : { id, title: title.replace(/\\(.)/g, "$1") };
}
