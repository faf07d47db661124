/** The command-line flags of the extension. The host shows the descriptions in `pi --help`. */

/** What the extension needs of the host to have flags. */
export interface FlagHost {
	registerFlag(name: string, options: { description: string; type: "boolean" | "string" }): void;
	getFlag(name: string): boolean | string | undefined;
}

const FLAGS = {
	"recap-model": {
		type: "string",
		description: "Model for recaps, as provider/id (default: fastModel setting, then the active model)",
	},
	"recap-away-seconds": {
		type: "string",
		description: "Recap when you return after this long (default: 90)",
	},
	"recap-focus-min-seconds": {
		type: "string",
		description: "Recap when the agent finished while you were away at least this long (default: 3)",
	},
	"recap-idle-seconds": {
		type: "string",
		description: "Recap after this long without input, in terminals that do not report focus (default: 120)",
	},
	"recap-disable-focus": {
		type: "boolean",
		description: "Do not ask the terminal for focus reports; use the idle time instead",
	},
	"recap-disable": {
		type: "boolean",
		description: "No recaps unless you type /recap",
	},
} as const;

export type RecapFlag = keyof typeof FLAGS;

/** What the user passed; undefined: nothing. */
export type RecapFlags = Partial<Record<RecapFlag, boolean | string>>;

export function registerFlags(host: FlagHost): void {
	for (const [name, options] of Object.entries(FLAGS)) host.registerFlag(name, options);
}

export function readFlags(host: FlagHost): RecapFlags {
	const flags: RecapFlags = {};
	for (const name of Object.keys(FLAGS) as RecapFlag[]) {
		const value = host.getFlag(name);
		if (value !== undefined) flags[name] = value;
	}
	return flags;
}
