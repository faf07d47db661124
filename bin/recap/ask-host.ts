import type { Recap } from "../../session-core/recap/record.ts";
import { hostReading } from "../../session-core/store/host-reading.ts";
import { isFolder } from "../../session-core/store/is-folder.ts";
import { summarize } from "../../session-core/store/summarize.ts";
import type { SessionSummary } from "../../session-core/store/summary.ts";
import { clipColumns } from "../../session-core/text/clip.ts";
import { cleanLine } from "../../session-core/text/sanitize.ts";
import { LiveSessions } from "../sessions/state.ts";
import type { World } from "../shell/world.ts";
import { startRpc } from "./rpc.ts";

export type Asked = { ok: true; recap: Recap; told: string } | { ok: false; told: string };

/** Time for pi to start, and for its model to answer (pi's own deadline is shorter). In milliseconds. */
const START_MS = 30_000;
const ANSWER_MS = 90_000;

/** pi itself asks the model: it has the credentials, the budget and the books. Nothing else may ask in that process. */
const QUIET = { PI_DISABLE_AUTO_RECAP: "1", PI_DISABLE_AUTO_TITLE: "1" };

/** Has pi write the record of a session with a model (`/recap-card --llm`), in a process without a screen. */
export async function askHost(
	row: SessionSummary,
	{ force }: { force: boolean },
	world: World,
): Promise<Asked> {
	const obstacle = await obstacleTo(row, world);
	if (obstacle !== undefined) return { ok: false, told: obstacle };
	const started = await startRpc({
		args: ["--session", row.path],
		cwd: row.cwd,
		env: { ...world.env, ...QUIET },
		deadlineMs: START_MS,
	});
	if (!started.ok) return started;
	const { pi } = started;
	try {
		if (!(await pi.commands()).includes("recap-card")) {
			return { ok: false, told: "this pi has no /recap-card: install session-resume in it." };
		}
		const told = cleanLine(await pi.ask(`/recap-card --llm${force ? " --force" : ""}`, ANSWER_MS));
		const looked = summarize(row.path);
		const recap = looked.ok ? looked.record.summary.recap : undefined;
		const isOurs = recap !== undefined && recap.id !== row.recap?.id;
		return isOurs ? { ok: true, recap, told } : { ok: false, told };
	} catch (error) {
		return {
			ok: false,
			told: `pi gave no answer (${error instanceof Error ? cleanLine(error.message) : "unknown"}).`,
		};
	} finally {
		await pi.end();
	}
}

/** Opening a session is more than a look: the host would rewrite an old file, and put an empty one in a damaged one's place. */
async function obstacleTo(row: SessionSummary, world: World): Promise<string | undefined> {
	if (new LiveSessions(world).of(row)) return "a pi has it open. Type /recap-card --llm there.";
	if (!isFolder(row.cwd))
		return `its folder is gone: ${clipColumns(cleanLine(row.cwd), 160)}. pi is asked where a session ran.`;
	const reading = await hostReading(row.path);
	if (reading.ok && reading.reads) return undefined;
	return "its file is damaged, and pi is not sent to it. pi-sessions resume --repair opens a repaired copy.";
}
