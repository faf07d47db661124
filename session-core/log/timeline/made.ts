import { countWords, type PathNamer, replaceEscapes } from "../../text/index.ts";
import { isEvicted } from "../index.ts";
import { editedPaths, type Link, type Step, stepsOf, type Turn } from "./turn.ts";

type Made = Omit<Link, "turn">;

const LINKS = 24;
const FILES = 12;
const READ = 8_000;

/** `git commit` prints lines such as `[main 1a2b3c4] Fix the parser`. */
const COMMIT_LINE = /^\[[^\]\n]{1,120} ([0-9a-f]{7,40})\] (.+)$/gm;
/** `git log --oneline` often follows `git commit --quiet`, which prints nothing. */
const LOG_LINE = /^[*|/\\ ]{0,20}([0-9a-f]{7,40}) (?:\([^)\n]*\) )?(\S.*)$/gm;
/** Some tools print a commit's hash next to a word such as `commit`. */
const COMMIT_WORD =
	/\b(?:commit|hash|revision)\w*\b[^\n]{0,40}?\b((?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40})\b/i;
/** `git push` prints lines such as `1a2b3c4..5d6e7f8 main -> main`. */
const PUSH_LINE = /^[ \t+]*[0-9a-f]{7,40}\.{2,3}([0-9a-f]{7,40})[ \t]+(\S+)[ \t]*->[ \t]*(\S+)/m;
/**
 * Matches the URL of a pull request, an issue or a release. The URL that `git push` prints for opening
 * a new pull request does not match.
 */
const PAGE =
	/https?:\/\/(?:(?!https?:)[^\s<>"'`)\]}、，。])+?\/(?:(?:pulls?|issues|merge_requests|pull-requests)\/(\d+)(?!(?!https?:)\w)|releases\/(?!new\b))(?:(?!https?:)[^\s<>"'`)\]}、，。])*/g;
const MAKES_PAGES = /\b(?:gh|glab|hub) (?:pr|mr|issue|release)\b|\bgit\b[^\n]*\bpush\b|\bcurl\b.*-X\s*POST/;
const COMMITS = /\bgit\b[^\n;&|]*\bcommit\b|save commit/;

export function madeLinks(turns: readonly Turn[]): Link[] {
	const links = new Map<string, Link>();
	for (const [turn, { steps }] of turns.entries()) {
		for (const link of steps.flatMap((step) => (isMaker(step) ? madeBy(step) : []))) {
			const same = (key: string): boolean => key.startsWith(link.locator) || link.locator.startsWith(key);
			const known = [...links.keys()].find(same) ?? link.locator;
			const label = link.label || (links.get(known)?.label ?? "");
			links.delete(known);
			links.set(link.locator, { ...link, label, turn });
		}
	}
	return [...links.values()].slice(-LINKS);
}

export function newestCommit(turns: readonly Turn[]): string {
	for (const turn of turns.toReversed()) {
		const found = madeLinks([turn]).findLast(({ kind, label }) => kind === "commit" && countWords(label) > 1);
		const subject = found?.label ?? turn.leftOut?.commit;
		if (subject) return subject;
	}
	return "";
}

function isMaker(one: Turn["steps"][number]): one is Step {
	return one.kind !== "remark" && one.outcome !== "pending" && !one.looks;
}

function madeBy(step: Step): Made[] {
	const { name, command = "", argument, outcome, output: whole } = step;
	const output = replaceEscapes(whole.slice(-READ), "");
	const isTool = step.command === undefined;
	const found: Made[] = [];
	const commit = (hash: string | undefined, label: string): void => {
		if (hash !== undefined) found.push({ kind: "commit", locator: hash.slice(0, 12), label });
	};
	if (isTool || /\bgit\b/.test(command)) {
		for (const [, hash, subject = ""] of output.matchAll(COMMIT_LINE)) commit(hash, subject.trim());
		const isQuiet = found.length === 0 && outcome === "ok" && COMMITS.test(command);
		const messages = new Set(isQuiet ? command.split(/["'\n]/) : []);
		for (const [, hash, subject = ""] of [...output.matchAll(LOG_LINE)].reverse())
			if (messages.has(subject)) commit(hash, subject);
		commit(pushed(output), "");
	}
	if (isTool && found.length === 0 && outcome === "ok" && /commit/i.test(name))
		commit(COMMIT_WORD.exec(output)?.[1], argument.slice(0, 120));
	const isPage = isEvicted(command) && output.trim().replace(PAGE, "") === "";
	const pages = [...output.matchAll(PAGE)];
	const isOne = isTool && new Set(pages.map(({ 1: number }) => number)).size === 1;
	if (isOne || MAKES_PAGES.test(command) || isPage)
		for (const [address] of pages) found.push(page(address, command));
	return found;
}

/** `git fetch` and `git pull` print the same lines as `git push`, but below `From` instead of `To`. */
function pushed(output: string): string | undefined {
	const own = /^From \S+$/m.test(output)
		? output
				.split(/^To \S+$/m)
				.slice(1)
				.join("\n")
		: output;
	return PUSH_LINE.exec(own)?.[1];
}

function page(address: string, command: string): Made {
	const locator = address.replace(/[.,;:!?*_~|]+$/, "").replace(/#issuecomment-\d+$/, "");
	const [, kind = "", number = ""] = /\/(\w+(?:[-_]\w+)?)\/(\d+)(?:\/\w*)?$/.exec(locator) ?? [];
	const title = /\b(?:pr|issue|mr) create\b[^\n]*?--title\s+(["'])(.+?)\1/.exec(command)?.[2] ?? "";
	const name = /^issues/.test(kind) ? `issue #${number}` : `PR #${number}`;
	const label = number === "" ? locator.replace(/^https?:\/\//, "") : `${name} ${title}`.trim();
	return { kind: "page", locator, label };
}

export function uncommittedFiles(turns: readonly Turn[], name: PathNamer): string[] {
	for (const step of turns.flatMap(stepsOf).reverse()) {
		if (isCommit(step)) return [];
		if (step.outcome === "ok" && isStatus(step)) return statusPaths(step.output).slice(0, FILES).map(name);
	}
	return [];
}

export function editedSinceCommit(turns: readonly Turn[]): string[] {
	const steps = turns.flatMap(stepsOf);
	const last = steps.findLastIndex(isCommit);
	return last < 0 ? [] : editedPaths(steps.slice(last + 1)).filter((path) => !/^[~/]/.test(path));
}

function isCommit(step: Step): boolean {
	if (step.outcome !== "ok" || step.looks) return false;
	return COMMITS.test(wordsOf(step)) || madeBy(step).some(({ kind }) => kind === "commit");
}

function isStatus(step: Step): boolean {
	return /\bgit\b[^\n;&|]*\bstatus\b/.test(wordsOf(step));
}

function wordsOf({ command, name }: Step): string {
	return command ?? name.replace(/_/g, " ");
}

function statusPaths(output: string): string[] {
	const lines = output.matchAll(
		/^(?:[MADRCU][ MADRCU] | [MADRCU] |\?\? |\s+(?:modified|new file|deleted|renamed|both modified):\s+)(?:.* -> )?(\S.*)$/gm,
	);
	return [...lines].map(([, path = ""]) => path.trim().replace(/^"(.*)"$/, "$1"));
}
