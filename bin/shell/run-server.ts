import { cleanLine } from "../../session-core/text/sanitize.ts";
import { serve } from "../serve/main.ts";
import { DONE, FAILED, NOT_FOUND } from "./exit.ts";
import { versionOf } from "./version.ts";
import type { World } from "./world.ts";

export interface ServerOptions {
	port?: string | undefined;
	lan?: boolean | undefined;
	"new-token"?: boolean | undefined;
}

/** `pi-sessions serve`, until it is interrupted. */
export async function runServer(options: ServerOptions, world: World): Promise<number> {
	const port = options.port === undefined ? undefined : Number(options.port);
	if (port !== undefined && !(/^\d{1,5}$/.test(options.port ?? "") && port < 65_536)) {
		world.err.write("pi-sessions serve: --port is a number from 0 to 65535.\n");
		return NOT_FOUND;
	}
	const ending = new AbortController();
	const end = () => ending.abort();
	for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, end);
	const served = await serve({
		agentDir: world.agentDir,
		sessionDir: world.sessionDir,
		...(port !== undefined && { port }),
		lan: options.lan ?? false,
		newToken: options["new-token"] ?? false,
		version: versionOf(),
		say: (line) => void world.out.write(`${line}\n`),
		isTerminal: world.out.isTTY ?? false,
		signal: ending.signal,
	});
	if (served.ok) return DONE;
	world.err.write(`pi-sessions serve: ${cleanLine(served.detail)}\n`);
	return FAILED;
}
