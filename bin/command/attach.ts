import { spawnSync } from "node:child_process";
import { goTo } from "../../session-core/sessions/live/index.ts";
import { findSession } from "../sessions/find.ts";
import { DONE, FAILED, NOT_FOUND, type World } from "../shell/world.ts";

export async function attach(_: object, world: World, wanted: string): Promise<number> {
	const { env } = world;
	const found = await findSession(wanted, world);
	if (!found.ok) return world.fail(found.problem, NOT_FOUND);
	if (!found.lease)
		return world.fail(`this session is not open. Run pi-sessions resume ${found.row.id} to open it.`);
	const gone = await goTo(found.lease, env);
	// If the session is running in a detached tmux session, that tmux session is attached to this terminal.
	const [program, ...args] = !gone.ok && gone.reason === "detached" && !env["TMUX"] ? gone.command : [];
	if (program !== undefined && world.out.isTTY)
		return spawnSync(program, args, { stdio: "inherit" }).status ?? FAILED;
	return world.fail(gone.message, gone.ok ? DONE : FAILED);
}
