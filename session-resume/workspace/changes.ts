import type { Recap } from "../../session-core/recap/record.ts";
import { clipColumns } from "../../session-core/text/clip.ts";
import { cleanLine } from "../../session-core/text/sanitize.ts";
import type { Changes } from "./repository.ts";

const BRANCH_COLUMNS = 40;

/** What has changed in the repository since a record was written, in words; empty where nothing has. */
export function describeChanges(then: Recap["workspace"], now: Changes | undefined): string {
	if (!now) return "";
	return [branchMoved(then, now), headMoved(then, now), dirtyFiles(now.dirty)].filter(Boolean).join(" · ");
}

function branchMoved(then: Recap["workspace"], now: Changes): string {
	const was = then?.git_branch;
	if (was === undefined || was === now.branch) return "";
	const name = (branch: string) => clipColumns(cleanLine(branch), BRANCH_COLUMNS);
	return now.branch === undefined
		? `no branch now, was ${name(was)}`
		: `on ${name(now.branch)}, was ${name(was)}`;
}

function headMoved(then: Recap["workspace"], now: Changes): string {
	const was = then?.git_head;
	if (was === undefined || now.head === undefined || was === now.head) return "";
	// A rebase or a step back leaves no commits between: then only that it moved is sure.
	if (now.commits) return `${count(now.commits, "commit")} since`;
	return `HEAD moved from ${cleanLine(was).slice(0, 7)} to ${now.head.slice(0, 7)}`;
}

function dirtyFiles(dirty: number): string {
	return dirty === 0 ? "" : `${count(dirty, "file")} not committed`;
}

function count(amount: number, noun: string): string {
	return `${amount} ${noun}${amount === 1 ? "" : "s"}`;
}
