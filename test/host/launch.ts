import { readFileSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { hostEnvironment } from "./environment.ts";
import { createSandbox, type Sandbox, type SandboxOptions } from "./sandbox.ts";
import { ScriptedModel } from "./scripted-model.ts";

export const PROJECT_ROOT = fileURLToPath(new URL("../..", import.meta.url)).replace(/[/\\]$/, "");

const LOCKED_CLI = new URL("../../node_modules/@mariozechner/pi-coding-agent/dist/cli.js", import.meta.url);

/** The host's program: the locked development version, or the one that `npm run test:hosts` selects. */
export const HOST_CLI = process.env["PI_SUITE_HOST_CLI"] ?? fileURLToPath(LOCKED_CLI);
const HOST_PACKAGE = HOST_CLI.slice(0, HOST_CLI.lastIndexOf(`${sep}dist${sep}`));
const HOST_MANIFEST: { version: string } = JSON.parse(
	readFileSync(join(HOST_PACKAGE, "package.json"), "utf8"),
);
export const HOST_VERSION = HOST_MANIFEST.version;
/** Whether the host is this version or a newer one: `isHostSince("0.87.0")`. */
export const isHostSince = (since: string): boolean =>
	HOST_VERSION.localeCompare(since, "en", { numeric: true }) >= 0;
export const IS_NEWER_HOST = process.env["PI_SUITE_HOST_CLI"] !== undefined;
export const HOST_NODE = process.env["PI_SUITE_HOST_NODE"] ?? process.execPath;

export interface LaunchOptions extends Omit<SandboxOptions, "modelUrl"> {
	args?: string[];
	/** Paths loaded with `-e`, relative to the package. Default: the package. */
	extensions?: string[];
	env?: Record<string, string>;
	cli?: string;
	/** A model that the caller starts and closes. Default: a new one, closed with the host. */
	model?: ScriptedModel;
	/** Scripts the model before the start, because a reopened session may request a recap at once. */
	script?: (model: ScriptedModel) => void;
	/** A sandbox that the caller creates and removes, for several hosts. Default: a new one. */
	sandbox?: Sandbox;
}

export interface Launch {
	args: string[];
	env: Record<string, string>;
	sandbox: Sandbox;
	model: ScriptedModel;
	release(): Promise<void>;
}

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

export function hostArguments({ cli, extensions, args }: LaunchOptions): string[] {
	const loads = (extensions ?? ["."]).flatMap((path) => ["-e", resolve(PROJECT_ROOT, path)]);
	return [...NODE_OPTIONS, cli ?? HOST_CLI, ...loads, ...(args ?? [])];
}
