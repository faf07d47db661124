/** Commits, pull requests and pages that the session made, by what its commands and tools printed. */
import { isStep, type Link, type Step, type Turn } from "./types.ts";

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

/** Oldest first; the newest evidence of one thing wins. */
export function madeLinks(turns: readonly Turn[]): Link[] {
	const links = new Map<string, Link>();
	turns.forEach((turn, index) => {
		for (const step of turn.steps) {
			if (!isStep(step) || step.looks || step.outcome === "pending") continue;
			for (const link of linksOf(step)) {
				const known = [...links.keys()].find(
					(key) => key.startsWith(link.locator) || link.locator.startsWith(key),
				);
				const label = link.label || (known !== undefined && links.get(known)?.label) || "";
				if (known !== undefined) links.delete(known);
				links.set(link.locator, { ...link, label, turn: index });
			}
		}
	});
	return [...links.values()].slice(-KEPT);
}

function linksOf(step: Step): Omit<Link, "turn">[] {
	const output = step.output.slice(-READ);
	const command = step.command ?? "";
	const found: Omit<Link, "turn">[] = [];
	if (step.command === undefined || /\bgit\b/.test(command)) {
		for (const [, hash = "", subject = ""] of output.matchAll(COMMIT_LINE))
			found.push({ kind: "commit", locator: short(hash), label: subject.trim() });
		const pushed = PUSH_LINE.exec(output);
		if (pushed) found.push({ kind: "commit", locator: short(pushed[1] ?? ""), label: "" });
	}
	if (
		step.command === undefined &&
		found.length === 0 &&
		step.outcome === "ok" &&
		/commit/i.test(step.name)
	) {
		const hash = COMMIT_WORD.exec(output)?.[1];
		if (hash) found.push({ kind: "commit", locator: short(hash), label: step.argument.slice(0, 120) });
	}
	if (step.command === undefined || MAKES_PAGES.test(command)) {
		for (const [address] of output.matchAll(PAGE)) found.push(page(address, command));
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

function short(hash: string): string {
	return hash.slice(0, 12);
}
