import { spawnSync } from "node:child_process";
import { goTo } from "../../session-core/live/go-to-terminal.ts";
import { placeOf } from "../../session-core/live/lease.ts";
import { findSession } from "../sessions/find.ts";
import { openSessions } from "../sessions/state.ts";
import { wordsFor } from "../sessions/words.ts";
import { DONE, FAILED, NOT_FOUND, type World } from "../shell/world.ts";

const WHICH =
	"pi-sessions attach: which session? pi-sessions attach <title|id>; pi-sessions list --all --state live lists them.\n";

/** `pi-sessions attach` */
export async function attach(wanted: string, world: World): Promise<number> {
	const { agentDir, env, err } = world;
	if (wanted === "") {
		err.write(WHICH);
		return NOT_FOUND;
	}
	const found = await findSession(wanted, world);
	if (!found.ok) {
		err.write(`pi-sessions attach: ${found.told}\n`);
		return NOT_FOUND;
	}
	const lease = openSessions(world)(found.row);
	if (!lease) {
		err.write(`pi-sessions attach: no pi has it open. pi-sessions resume ${found.row.id} opens it.\n`);
		return FAILED;
	}
	const { terminal: words } = await wordsFor(world);
	const gone = await goTo(lease, { env, here: placeOf(agentDir), words });
	// A tmux session that no terminal shows is shown in this one.
	const [program, ...args] = !gone.ok && gone.reason === "detached" && !env["TMUX"] ? gone.command : [];
	if (program !== undefined && world.out.isTTY)
		return spawnSync(program, args, { stdio: "inherit" }).status ?? FAILED;
	err.write(`pi-sessions attach: ${gone.told}\n`);
	return gone.ok ? DONE : FAILED;
}
