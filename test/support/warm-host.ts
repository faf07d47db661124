import { createHash } from "node:crypto";
import { accessSync, constants, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { HOST_VERSION, PROJECT_ROOT } from "../host/launch.ts";
import { COMPILE_CACHES } from "../host/sandbox.ts";
import { startHost } from "../host/terminal-host.ts";
import { modulePaths } from "./modules.ts";

/** Maximum time in milliseconds for compiling all modules on a busy machine. */
const DEADLINE_MS = 180_000;

/**
 * Starts a host once that loads all modules, so that the loader's cache holds them compiled. The shell
 * command uses the same cache. On a clean machine, the first tests of all workers would otherwise
 * compile them at the same time, which takes longer than a test may wait.
 */
export default async function warmHost(): Promise<void> {
	if (!canWriteCaches()) useOwnTemporaryFolder();
	const mark = join(tmpdir(), "jiti", `session-suite-compiled-${compiledCode()}`);
	if (existsSync(mark)) return;
	const host = await startHost({ extensions: [".", "test/support/modules.ts"], deadlineMs: DEADLINE_MS });
	const errors = host.extensionErrors();
	await host.dispose();
	if (errors.length > 0) throw new Error(`the modules cannot be loaded: ${errors.join("\n")}`);
	writeFileSync(mark, "");
}

function canWriteCaches(): boolean {
	try {
		for (const cache of COMPILE_CACHES) {
			const folder = join(tmpdir(), cache);
			mkdirSync(folder, { recursive: true });
			accessSync(folder, constants.W_OK);
		}
		return true;
	} catch {
		// The folder belongs to another user.
		return false;
	}
}

/** Tests inherit the folder. Without a cache, each host would compile all modules again. */
function useOwnTemporaryFolder(): void {
	const own = join(tmpdir(), `pi-suite-${userInfo().uid}`);
	for (const cache of COMPILE_CACHES) mkdirSync(join(own, cache), { recursive: true, mode: 0o700 });
	process.env["TMPDIR"] = own;
}

/** Identifies the host and all modules, whose paths also matter to the loader's cache. */
function compiledCode(): string {
	const hash = createHash("sha256").update(`${HOST_VERSION}\n${PROJECT_ROOT}\n`);
	for (const path of modulePaths()) hash.update(readFileSync(path));
	return hash.digest("hex").slice(0, 16);
}
