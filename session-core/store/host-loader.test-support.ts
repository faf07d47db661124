import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** The host's own reader, as far as these tests ask it. */
export interface HostModule {
	loadEntriesFromFile(path: string): unknown[];
	SessionManager: {
		open(path: string): {
			getSessionId(): string;
			getEntries(): { type?: unknown; id?: unknown; parentId?: unknown }[];
			getBranch(): { id?: unknown }[];
			buildSessionContext(): unknown;
		};
	};
}

const BUNDLED = fileURLToPath(
	new URL("../../node_modules/@mariozechner/pi-coding-agent/dist/cli.js", import.meta.url),
);

/** The module that the host reads sessions with: of the host that the tests run against (see scripts/hosts.mjs). */
export async function hostModule(): Promise<HostModule> {
	const cli = process.env["PI_SUITE_HOST_CLI"] ?? BUNDLED;
	const url = pathToFileURL(join(dirname(cli), "core", "session-manager.js")).href;
	const module: HostModule = await import(/* @vite-ignore */ url);
	return module;
}
