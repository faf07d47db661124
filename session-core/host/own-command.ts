import type {
	ExtensionAPI,
	ExtensionCommandContext,
	ExtensionContext,
	ExtensionUIContext,
} from "@mariozechner/pi-coding-agent";
import { submitCommand } from "./prompt.ts";
import { isStale } from "./start-work.ts";

type CommandOptions = Parameters<ExtensionAPI["registerCommand"]>[1] & {
	/** Whether the command is useful only with a user. In print and JSON mode, it then only says so. */
	needsUser?: boolean;
};
type CommandHost = Pick<ExtensionAPI, "registerCommand" | "getCommands" | "on">;

/**
 * Registers a command that also runs if another package has a command of the same name. The host then renames both (`recap:1`, `recap:2`),
 * and would send `/recap` to the model as a prompt. The name is read as the host reads it: up to the first space.
 */
export function registerOwnCommand(
	pi: CommandHost,
	name: string,
	{ needsUser: isForUsers = false, ...given }: CommandOptions,
): void {
	const options: typeof given = {
		...given,
		handler: async (args, ctx) => {
			if (isStale(ctx)) return;
			if (isForUsers && !ctx.hasUI) return needsUser(name);
			await given.handler(args, ctx);
		},
	};
	pi.registerCommand(name, options);
	pi.on("input", async ({ text, source }, ctx) => {
		// Extensions send prompts, never commands.
		if (source === "extension" || !(text === `/${name}` || text.startsWith(`/${name} `))) return undefined;
		const commands = pi.getCommands();
		const renamed = commands.find(
			(it) => it.name.startsWith(`${name}:`) && it.description === options.description,
		)?.name;
		if (!renamed || commands.some((it) => it.name === name)) return undefined;
		const args = text.slice(name.length + 2);
		const run = () => options.handler(args, withoutReplacement(ctx, renamed));
		if (!ctx.hasUI) await run();
		// The host accepts a command only after it is done with this input.
		else setImmediate(() => submitCommand(ctx.ui, `/${renamed} ${args}`.trimEnd()) || void run());
		return { action: "handled" };
	});
}

/** Only the host can give a command the methods that replace a session. Without a prompt editor, a command has to do without them. */
function withoutReplacement(ctx: ExtensionContext, renamed: string): ExtensionCommandContext {
	const refuse = async () => {
		throw new Error(`another package has the same command; type /${renamed}`);
	};
	const methods = ["waitForIdle", "newSession", "fork", "navigateTree", "switchSession", "reload"];
	return Object.create(ctx, Object.fromEntries(methods.map((method) => [method, { value: refuse }])));
}

const NAMES = ["recap", "recap-card", "resume-here", "resume-from", "today", "sessions", "rename", "recall"];

/** Returns one line for each command of the suite whose name another package has, too. */
export function sharedCommands(pi: Pick<ExtensionAPI, "getCommands">): string[] {
	const commands = pi.getCommands();
	return NAMES.flatMap((name) => {
		const all = commands.filter((it) => it.name.startsWith(`${name}:`));
		if (all.length < 2) return [];
		const list = all.map((it) => `/${it.name} (${it.sourceInfo.path})`).join(", ");
		return [`/${name} belongs to several packages: ${list}; /${name} runs this suite's`];
	});
}

/**
 * Starts an extension in print and JSON mode, runs a command and ends the extension. The command's answers go to stderr, because stdout is
 * reserved for the output of the run, and a failure sets the exit code to 1. Warnings that precede the command, for example about settings,
 * do not count as its failure. When the command has ended, the last state of each widget is printed.
 */
export async function printMode<Part extends { end(): void }>(
	hostCtx: ExtensionContext,
	start: (ctx: ExtensionContext) => Part,
	command: (part: Part) => Promise<void>,
): Promise<void> {
	const widgets = new Map<string, string[]>();
	let isRunning = false;
	const own: Partial<ExtensionUIContext> = {
		notify(text, kind = "info") {
			process.stderr.write(`${text}\n`);
			if (isRunning && kind !== "info") process.exitCode = 1;
		},
		setWidget(key: string, lines: unknown) {
			if (Array.isArray(lines)) widgets.set(key, lines.map(String));
			else widgets.delete(key);
		},
		getEditorText: () => "",
		setEditorText: () => undefined,
	};
	const printed: ExtensionUIContext = Object.assign(Object.create(hostCtx.ui), own);
	const ctx: ExtensionContext = Object.create(hostCtx, { ui: { value: printed, enumerable: true } });
	const part = start(ctx);
	isRunning = true;
	await command(part);
	for (const lines of widgets.values()) process.stderr.write(`${lines.join("\n")}\n`);
	part.end();
}

/** Rejects a command that is useful only in a terminal: writes a message to stderr and sets the exit code to 1. */
export function needsUser(command: string): void {
	process.stderr.write(`${command}: /${command} needs a user in front of pi.\n`);
	process.exitCode = 1;
}
