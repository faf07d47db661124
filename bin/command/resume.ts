import type { ScanReport } from "../../session-core/catalog/listing.ts";
import type { SessionSummary } from "../../session-core/catalog/summary.ts";
import { planResume, type ResumePlan } from "../../session-core/resume-plan/plan.ts";
import { checkSession } from "../../session-core/session-file/check-session.ts";
import { describeSession } from "../../session-core/session-view/describe.ts";
import { clipColumns } from "../../session-core/text/clip.ts";
import { cleanLine } from "../../session-core/text/sanitize.ts";
import { findSession, sessionsHere, unreadLines } from "../sessions/find.ts";
import { openSessions } from "../sessions/state.ts";
import { wordsFor } from "../sessions/words.ts";
import { DONE, FAILED, NOT_FOUND, type World } from "../shell/world.ts";
import { type Copied, type CopyOutcome, forkedAt, repaired } from "./resume-copy.ts";
import { runPi } from "./run-pi.ts";

export interface ResumeOptions {
	continue?: boolean | undefined;
	at?: string | undefined;
	branch?: boolean | undefined;
	send?: boolean | undefined;
	message?: string | undefined;
	repair?: boolean | undefined;
	anyway?: boolean | undefined;
	"dry-run"?: boolean | undefined;
}

/** `pi-sessions resume` */
export async function resume(wanted: string, options: ResumeOptions, given: World): Promise<number> {
	const world = { ...given, readOnly: options["dry-run"] };
	const say = (text: string) => world.err.write(`pi-sessions resume: ${text}\n`);
	const chosen = await chooseSession(wanted, options.continue ?? false, world);
	if (!chosen.ok) {
		say(chosen.told);
		return chosen.isWarning ? DONE : NOT_FOUND;
	}
	const { row } = chosen;
	const isCopied = options.branch || options.at !== undefined || options.repair;
	const obstacle =
		(isCopied || options.anyway ? undefined : liveObstacle(row, world)) ?? (await damage(row, options));
	if (obstacle !== undefined) {
		say(obstacle);
		return FAILED;
	}
	const copy = await copyFor(row, options, world);
	if (copy && !copy.ok) {
		say(copy.told);
		return copy.isUnknown ? NOT_FOUND : FAILED;
	}
	const plan = await planFor(row, options, { copy, world });
	if (plan.needs_answer !== undefined && (plan.kind === "job" || options.send)) {
		const question = clipColumns(cleanLine(plan.needs_answer), 200);
		say(`it asked: "${question}" Answer with --message "…".`);
		if (plan.kind === "job") return FAILED;
	}
	if (copy?.again && options.send && options.message === undefined && plan.prompt === undefined)
		say("this prompt is too long to be sent from a command line; it waits in the editor, complete.");
	if (options["dry-run"]) {
		if (copy?.planned !== undefined)
			say(`nothing was written. This command would first write ${copy.planned}.`);
		world.out.write(`${plan.command_line}\n`);
		return DONE;
	}
	return runPi(plan, world, say);
}

function liveObstacle(row: SessionSummary, world: World): string | undefined {
	const lease = openSessions(world)(row);
	if (!lease) return undefined;
	return [
		`it is open in another pi (pid ${lease.pid}, ${lease.state.replace("_", " ")}), and two processes would corrupt its history.`,
		`pi-sessions attach ${row.id} brings that pi to the front; --branch continues in a fork; --anyway opens it nevertheless.`,
	].join("\n");
}

/** Why the host must not be given this file. */
async function damage(row: SessionSummary, { repair, at }: ResumeOptions): Promise<string | undefined> {
	const check = await checkSession(row.path);
	if (!check.ok) return `its file cannot be read (${clipColumns(cleanLine(check.detail), 160)}).`;
	if (check.sound || repair || at !== undefined) return undefined;
	return "its file is damaged, and pi could lose what it holds. --repair opens a repaired copy; the file stays as it is.";
}

async function copyFor(
	row: SessionSummary,
	{ at, repair }: ResumeOptions,
	world: World,
): Promise<CopyOutcome | undefined> {
	if (at !== undefined) return forkedAt(row, at, world);
	return repair ? repaired(row, world) : undefined;
}

async function planFor(
	row: SessionSummary,
	{ branch, send, message }: ResumeOptions,
	{ copy, world }: { copy: Copied | undefined; world: World },
): Promise<ResumePlan> {
	const card = await describeSession(row, { ...world, words: (own) => wordsFor(world, own) });
	// At an earlier point, what the end says is not what comes next.
	const recap = card.ok && (!copy?.isEarlier || card.record?.kind === "job") ? card.record : undefined;
	return planResume(row, { recap, branch, send, message, copy: copy?.path, again: copy?.again });
}

/** `isWarning`: there is none, which is no fault. */
export type Chosen = { ok: true; row: SessionSummary } | { ok: false; told: string; isWarning: boolean };

/** The session that is to be resumed: by its name, or the newest of this project. */
export async function chooseSession(wanted: string, isNewest: boolean, world: World): Promise<Chosen> {
	if (isNewest && wanted !== "")
		return refused("--continue is the newest session of this project; it takes no title or id.");
	if (wanted !== "") {
		const found = await findSession(wanted, world);
		return found.ok ? found : refused(found.told);
	}
	const reports: ScanReport[] = [];
	const newest = (await sessionsHere(world, (report) => void reports.push(report))).find(
		({ kind }) => kind !== "headless" && kind !== "child",
	);
	const unread = unreadLines(reports);
	if (!newest && unread.length > 0) return refused(unread.join("\n"));
	if (!newest) return { ok: false, told: "there is no session to resume in this project.", isWarning: true };
	if (isNewest) return { ok: true, row: newest };
	return refused(
		"which session? pi-sessions resume <title|id>, or --continue for the newest of this project.",
	);
}

function refused(told: string): Chosen {
	return { ok: false, told, isWarning: false };
}
