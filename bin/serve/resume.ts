import type { Recap } from "../../session-core/recap/record.ts";
import type { Item } from "./item.ts";
import { kindOf } from "./recap-read.ts";
import type { ResumeJson } from "./schemas.ts";

export interface Wanted {
	item: Item;
	/** The record that it goes on from. */
	recap: Recap | undefined;
	/** By name; undefined: as the record says. */
	branch: boolean | undefined;
}

/** What it takes to go on with a session: run by whoever asked, in the session's own folder. */
export function resumePlan({ item, recap, branch }: Wanted): ResumeJson {
	const { summary } = item;
	const hint = recap?.resume_hint;
	const isBranch = branch ?? hint?.branch_on_resume ?? false;
	const kind = kindOf(item);
	const command = ["pi", isBranch ? "--fork" : "--session", item.path];
	const model = modelOf(item, recap);
	return {
		kind,
		subject_id: item.id,
		title: item.json.title,
		cwd: summary.cwd,
		command,
		shell: shellLine(command, summary.cwd),
		branch: isBranch,
		...(model && { model }),
		...(hint && hint.seed_instruction !== "" && { seed_instruction: hint.seed_instruction }),
		...(kind === "job" && { parent_job_id: item.id }),
		...(recap && recap.id !== "" && { resumed_from_recap_id: recap.id }),
		opened: false,
	};
}

/** The command for a POSIX shell, whatever folder that stands in. */
export function shellLine(command: readonly string[], cwd: string): string {
	const line = command.map(quoted).join(" ");
	return cwd === "" ? line : `cd ${quoted(cwd)} && ${line}`;
}

/** The model by the log; else by the record. */
function modelOf({ summary }: Item, recap: Recap | undefined): ResumeJson["model"] | undefined {
	const { provider, model } = recap?.resume_hint ?? {};
	if (summary.model) return summary.model;
	return provider !== undefined && model !== undefined ? { provider, id: model } : undefined;
}

/** A word for a POSIX shell: taken as it is, whatever stands in it. */
export function quoted(word: string): string {
	return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
