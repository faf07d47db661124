import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { unlikelyName } from "../support/random.ts";
import type { PrivateFolders } from "./environment.ts";
import { MODELS, type ModelsVariant, modelsFile, PROVIDER } from "./models.ts";
import { placeSession, type SessionFixture, sessionFolder } from "./session-files.ts";

export interface SandboxOptions {
	modelUrl?: string;
	models?: ModelsVariant;
	settings?: Record<string, unknown>;
	/** Text of `<agentDir>/session-suite.json`. */
	suiteSettings?: string;
	/** Text of `<agentDir>/keybindings.json`. */
	keyBindings?: string;
	/** Whether the suite has never run here, so it shows its one-time messages. Default: false. */
	isFirstStart?: boolean;
	files?: Record<string, string>;
	/** Sessions of the project; open one with `-c` (the newest) or `--session`. */
	sessions?: SessionFixture[];
	projectName?: string;
}

export interface Sandbox extends PrivateFolders {
	root: string;
	/** The project: the host's working directory. */
	cwd: string;
	/** The folder in which the host stores this project's sessions. */
	sessionDir: string;
	placed: string[];
	remove(): void;
}

/** Creates the folders and files that a host needs, below the system's temporary folder. */
export function createSandbox(options: SandboxOptions): Sandbox {
	// The real path: macOS's temporary folder is a symlink, and the host names session folders after the
	// real path.
	const root = join(realpathSync(tmpdir()), `pi-suite-${unlikelyName()}`);
	mkdirSync(root, { mode: 0o700 });
	const folders = { home: join(root, "home"), agentDir: join(root, ".pi", "agent"), temp: join(root, "tmp") };
	const cwd = join(root, options.projectName ?? "project");
	const sessionDir = sessionFolder(folders.agentDir, cwd);
	for (const folder of [...Object.values(folders), cwd, sessionDir]) mkdirSync(folder, { recursive: true });
	shareCompileCaches(folders.temp);
	for (const [path, text] of Object.entries(filesOf(options, folders.agentDir, cwd))) {
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, text);
	}
	const placed = (options.sessions ?? []).map((fixture) => placeSession(fixture, cwd, sessionDir));
	const remove = (): void => rmSync(root, { recursive: true, force: true, maxRetries: 5 });
	return { ...folders, root, cwd, sessionDir, placed, remove };
}

function filesOf(options: SandboxOptions, agentDir: string, cwd: string): Record<string, string> {
	const { models = "scripted", modelUrl = "http://127.0.0.1:9/v1" } = options;
	const files: Record<string, string> = { [join(agentDir, "settings.json")]: hostSettings(options) };
	files[join(agentDir, "models.json")] = modelsFile(modelUrl, models);
	if (!options.isFirstStart)
		for (const what of ["start", "call"]) files[join(agentDir, "session-suite", `first-${what}`)] = "";
	const { suiteSettings, keyBindings } = options;
	if (keyBindings !== undefined) files[join(agentDir, "keybindings.json")] = keyBindings;
	if (suiteSettings !== undefined) files[join(agentDir, "session-suite.json")] = suiteSettings;
	for (const [path, text] of Object.entries(options.files ?? {})) files[join(cwd, path)] = text;
	return files;
}

/** `regular` or `fullscreen`. Default: the host's own default. */
const TUI_MODE = process.env["PI_SUITE_TUI_MODE"];

function hostSettings({ settings }: SandboxOptions): string {
	return JSON.stringify({
		quietStartup: true,
		enableInstallTelemetry: false,
		// Newer hosts ask before they load a project's own extensions.
		defaultProjectTrust: "always",
		defaultProvider: PROVIDER,
		defaultModel: MODELS.large,
		...(TUI_MODE && { tuiMode: TUI_MODE }),
		// The client library retries 429 and 5xx twice, but a scripted error must be one request.
		retry: { provider: { maxRetries: 0 } },
		...settings,
	});
}

/** The loader's cache of compiled code, and the cache that newer hosts use through Node. */
export const COMPILE_CACHES = ["jiti", "node-compile-cache"];

/** Shares the caches of compiled code, so that hosts start warm, as users' hosts do. */
function shareCompileCaches(temp: string): void {
	for (const name of COMPILE_CACHES) {
		const shared = join(tmpdir(), name);
		mkdirSync(shared, { recursive: true });
		symlinkSync(shared, join(temp, name), "junction");
	}
}
