import { planResume, type ResumePlan } from "../../session-core/resume-plan/plan.ts";
import { hostReading } from "../../session-core/store/host-reading.ts";
import type { SessionSummary } from "../../session-core/store/summary.ts";
import { clipColumns } from "../../session-core/text/clip.ts";
import { cleanLine } from "../../session-core/text/sanitize.ts";
import { LiveSessions } from "../sessions/state.ts";
import { DONE, FAILED, NOT_FOUND } from "../shell/exit.ts";
import type { World } from "../shell/world.ts";
import { readCard } from "../show/read.ts";
import { chooseSession } from "./choose.ts";
import { type Copied, type CopyOutcome, forkedAt, repaired } from "./copy.ts";
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
		say("this prompt is too long to be sent from a command line: it waits in the editor, whole.");
	if (options["dry-run"]) {
		if (copy?.planned !== undefined) say(`nothing was written. This run would first write ${copy.planned}.`);
		world.out.write(`${plan.command_line}\n`);
		return DONE;
	}
	return runPi(plan, world, say);
}

function liveObstacle(row: SessionSummary, world: World): string | undefined {
	const lease = new LiveSessions(world).of(row);
	if (!lease) return undefined;
	return [
		`it is open in another pi (pid ${lease.pid}, ${lease.state.replace("_", " ")}), and two would write into each other's history.`,
		`pi-sessions attach ${row.id} goes there; --branch goes on in a fork; --anyway opens it all the same.`,
	].join("\n");
}

/** Why the host must not be given this file. */
async function damage(row: SessionSummary, { repair }: ResumeOptions): Promise<string | undefined> {
	const reading = await hostReading(row.path);
	if (!reading.ok) return `its file cannot be read (${clipColumns(cleanLine(reading.detail), 160)}).`;
	if (reading.reads || repair) return undefined;
	return "its file is damaged, and pi would lose what it holds. --repair opens a repaired copy; the file stays as it is.";
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
	const card = await readCard(row, world);
	// At an earlier point, what the end says is not what comes next.
	const recap = card.ok && (!copy?.isEarlier || card.recap?.kind === "job") ? card.recap : undefined;
	return planResume(row, { recap, branch, send, message, copy: copy?.path, again: copy?.again });
}
