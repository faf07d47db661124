import type { Recap } from "../../session-core/recap/record.ts";
import { clipColumns } from "../../session-core/text/clip.ts";
import { cleanLine } from "../../session-core/text/sanitize.ts";
import type { CardWords } from "../../session-core/words/words.ts";
import type { Changes } from "../../session-core/workspace/repository.ts";

const BRANCH_COLUMNS = 40;

/** What has changed in the repository since a record was written, in words; empty where nothing has. */
export function describeChanges(
	then: Recap["workspace"],
	now: Changes | undefined,
	words: CardWords,
): string {
	if (!now) return "";
	return [branchMoved(then, now, words), headMoved(then, now, words), dirtyFiles(now.dirty, words)]
		.filter(Boolean)
		.join(" · ");
}

function branchMoved(then: Recap["workspace"], now: Changes, words: CardWords): string {
	const was = then?.git_branch;
	if (was === undefined || was === now.branch) return "";
	const name = (branch: string) => clipColumns(cleanLine(branch), BRANCH_COLUMNS);
	return now.branch === undefined ? words.noBranch(name(was)) : words.onBranch(name(now.branch), name(was));
}

function headMoved(then: Recap["workspace"], now: Changes, words: CardWords): string {
	const was = then?.git_head;
	if (was === undefined || now.head === undefined || was === now.head) return "";
	// A rebase or a step back leaves no commits between: then only that it moved is sure.
	if (now.commits) return words.commitsSince(now.commits);
	return words.headMoved(cleanLine(was).slice(0, 7), now.head.slice(0, 7));
}

function dirtyFiles(dirty: number, words: CardWords): string {
	return dirty === 0 ? "" : words.notCommitted(dirty);
}
