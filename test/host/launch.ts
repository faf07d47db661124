import { readFileSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { hostEnvironment } from "./environment.ts";
import { createSandbox, type Sandbox, type SandboxOptions } from "./sandbox.ts";
import { ScriptedModel } from "./scripted-model.ts";

/** The package under test. */
export const PROJECT_ROOT = fileURLToPath(new URL("../..", import.meta.url)).replace(/[/\\]$/, "");

const LOCKED_CLI = new URL("../../node_modules/@mariozechner/pi-coding-agent/dist/cli.js", import.meta.url);

/** The host's program: the locked development version, or the one that `npm run test:hosts` selects. */
export const HOST_CLI = process.env["PI_SUITE_HOST_CLI"] ?? fileURLToPath(LOCKED_CLI);
const HOST_PACKAGE = HOST_CLI.slice(0, HOST_CLI.lastIndexOf(`${sep}dist${sep}`));
const HOST_MANIFEST: { version: string } = JSON.parse(
	readFileSync(join(HOST_PACKAGE, "package.json"), "utf8"),
);
/** Version of the host under test. */
export const HOST_VERSION = HOST_MANIFEST.version;
/** Whether the host is this version or a newer one: `isHostSince("0.87.0")`. */
export const isHostSince = (since: string): boolean =>
	HOST_VERSION.localeCompare(since, "en", { numeric: true }) >= 0;
/** Whether `npm run test:hosts` runs the tests on a newer host. */
export const IS_NEWER_HOST = process.env["PI_SUITE_HOST_CLI"] !== undefined;
/** The Node binary that runs the host. */
export const HOST_NODE = process.env["PI_SUITE_HOST_NODE"] ?? process.execPath;

export interface LaunchOptions extends Omit<SandboxOptions, "modelUrl"> {
	/** Arguments after the extensions. */
	args?: string[];
	/** Paths loaded with `-e`. Default: the package. */
	extensions?: string[];
	/** More environment variables. */
	env?: Record<string, string>;
	/** Another host's `cli.js`. */
	cli?: string;
	/** A model that the caller starts and closes. Default: a new one, closed with the host. */
	model?: ScriptedModel;
	/** Scripts the model before the start, because a reopened session may request a recap at once. */
	script?: (model: ScriptedModel) => void;
	/** A sandbox that the caller creates and removes, for several hosts. Default: a new one. */
	sandbox?: Sandbox;
}

/** A host that is ready to be started, and its resources. */
export interface Launch {
	/** Arguments for `HOST_NODE`: Node's options, `cli.js`, and the arguments for `cli.js`. */
	args: string[];
	env: Record<string, string>;
	sandbox: Sandbox;
	model: ScriptedModel;
	/** Releases the resources that were created for this launch. */
	release(): Promise<void>;
}

/** Prepares model and sandbox, and returns how to start the host in them. */
export async function prepareLaunch(options: LaunchOptions): Promise<Launch> {
	const model = options.model ?? (await ScriptedModel.start());
	options.script?.(model);
	const sandbox = options.sandbox ?? createSandbox({ ...options, modelUrl: model.url });
	return {
		args: hostArguments(options),
		env: hostEnvironment(sandbox, dirname(HOST_NODE), options.env),
		sandbox,
		model,
		release: async () => {
			if (!options.model) await model.close();
			if (!options.sandbox) sandbox.remove();
		},
	};
}

/** Short-lived hosts take a quarter less processor time without the optimizing compiler. */
const NODE_OPTIONS = process.env["VITEST"] === undefined ? [] : ["--no-opt"];

/** Node's options, `cli.js`, the extensions, then the caller's arguments. */
export function hostArguments({ cli, extensions, args }: LaunchOptions): string[] {
	const loads = (extensions ?? [PROJECT_ROOT]).flatMap((path) => ["-e", path]);
	return [...NODE_OPTIONS, cli ?? HOST_CLI, ...loads, ...(args ?? [])];
}
