import type { ExtensionContext, ExtensionUIContext } from "@mariozechner/pi-coding-agent";

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
