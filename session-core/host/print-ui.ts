import type { ExtensionContext, ExtensionUIContext } from "@mariozechner/pi-coding-agent";

/**
 * The host's UI where there is none (print and JSON mode): what a command says goes to stderr, because stdout is the
 * run's own, and a failure makes the exit status 1. A widget is printed once the command is over, in its last state.
 */
export interface PrintUi {
	ui: ExtensionUIContext;
	/** Run a command. What was said before it, of settings for example, is no failure of it. */
	run(command: () => Promise<void>): Promise<void>;
}

export function createPrintUi(ui: ExtensionUIContext): PrintUi {
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
	return {
		ui: Object.assign(Object.create(ui), own),
		async run(command) {
			isRunning = true;
			await command();
			for (const lines of widgets.values()) process.stderr.write(`${lines.join("\n")}\n`);
			isRunning = false;
		},
	};
}

/** The same context, with that UI. */
export function withUi<C extends Pick<ExtensionContext, "ui">>(ctx: C, ui: ExtensionUIContext): C {
	return Object.create(ctx, { ui: { value: ui, enumerable: true } });
}

/** The answer of a command that makes no sense without a user in front of pi. */
export function needsUser(command: string): void {
	process.stderr.write(`${command}: /${command} needs a user in front of pi.\n`);
	process.exitCode = 1;
}
