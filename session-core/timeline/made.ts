/** Determines from a call's output which commits, pull requests, issues and other things the call created. */
import { isEvicted } from "../session-file/message.ts";
import { replaceEscapes } from "../text/sanitize.ts";
import type { Printed } from "./result.ts";
import { gitVerbs } from "./shell-looks.ts";

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
const COMMIT_LINE = /^\[[^\]\n]{1,120} ([0-9a-f]{7,40})\] (.+)$/gm;
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
	const end = whole.slice(-READ);
	const output = end.includes("\x1b") ? replaceEscapes(end, "") : end;
	const isTool = command === undefined;
	const found: Made[] = [];
	const commit = (hash: string | undefined, label: string): void => {
		if (hash !== undefined) found.push({ kind: "commit", locator: hash.slice(0, 12), label });
	};
	if (isTool || /\bgit\b/.test(command)) {
		for (const [, hash, subject = ""] of output.matchAll(COMMIT_LINE)) commit(hash, subject.trim());
		if (!isTool && found.length === 0)
			for (const { hash, subject } of loggedCommits(command, output)) commit(hash, subject);
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

/** Matches the hash of a commit, but not the hashes of a range or of a file's content. */
const HASH = /(?<![\w.])[0-9a-f]{7,40}(?![\w.])/;
/** Matches the decoration of a log: the word "commit", the graph, and the names of branches. */
const DECORATION = /^[\s*|/\\]*(?:commit\b)?[\s|:·–—-]*(?:\([^)]*\))?[\s|:·–—-]*|[\s|:·–—([-]*\)?$/g;
/** Matches the message of a commit in a command, up to the end of its first line. */
const MESSAGE =
	/\s(?:-\w*m|--message)[ =]?\s*(["'])(?:\$\(cat <<-?\s*['"]?\w+['"]?\s*\n)?\s*([^\n]{1,200}?)(?:\1|\n)/g;
/** Number of lines after a hash within which the log prints the subject. */
const HEADER_LINES = 6;
const LINE_BOUND = 240;

/** Whether a command creates a commit. */
export function createsCommit(command: string): boolean {
	return gitVerbs(command).some(({ verb }) => COMMITTING.test(verb));
}

const COMMITTING = /^(?:commit|cherry-pick|revert|am)$/;
const LOGGING = /^(?:log|show|rev-parse|reflog)$/;

/** Returns the commits that a command created quietly and then printed with git's log, oldest first. */
function loggedCommits(command: string, output: string): { hash: string; subject: string }[] {
	const verbs = gitVerbs(command);
	const last = verbs.findLastIndex(({ verb }) => COMMITTING.test(verb));
	const logged = verbs.findIndex(({ verb }, index) => index > last && LOGGING.test(verb));
	if (last < 0 || logged < 0) return [];
	const messages = [...command.matchAll(MESSAGE)].flatMap(([, , message = ""]) => message.trim() || []);
	const rows = rowsOf(output);
	const own = rows.flatMap(({ hash, subject }) => {
		const message = messages.find((text) => subject.includes(text));
		const isOwn = message !== undefined || (subject !== "" && command.includes(subject));
		return isOwn ? [{ hash, subject: message ?? subject }] : [];
	});
	const created = verbs.filter(({ verb }) => COMMITTING.test(verb)).length;
	if (own.length > 0) return own.slice(0, created).reverse();
	// If no message matches, the first row is the new commit, provided that no log was printed before the commit was made and that the log
	// is printed only if the commit succeeds.
	const isNewest =
		!verbs.slice(0, last).some(({ verb }) => LOGGING.test(verb)) &&
		verbs.slice(last, logged).every(({ isChained }) => isChained);
	return isNewest
		? rows.slice(0, 1).map(({ hash, subject }) => ({ hash, subject: subject || (messages.at(-1) ?? "") }))
		: [];
}

/** Returns the lines of a log that contain a hash, each with the subject beside it or in the lines below it. */
function rowsOf(output: string): { hash: string; subject: string }[] {
	const lines = output.split("\n").map((line) => line.slice(0, LINE_BOUND));
	return lines.flatMap((line, index) => {
		const [hash] = HASH.exec(line) ?? [];
		if (hash === undefined) return [];
		const beside = line.replace(hash, "").replace(DECORATION, "");
		const below = lines.slice(index + 1, index + HEADER_LINES).find((text) => /^ {4}\S/.test(text));
		return [{ hash, subject: beside || (below ?? "").trim() }];
	});
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
