/** What `/recap …` asks for. */
export type RecapAction =
	| { type: "recap"; force: boolean }
	| { type: "show" | "clear" | "on" | "off" | "status" | "help" }
	| { type: "doctor"; prompt: boolean }
	| { type: "unknown"; word: string };

interface Choice {
	value: string;
	description: string;
	action: RecapAction;
}

const CHOICES: readonly Choice[] = [
	{ value: "--force", description: "Ask the model again", action: { type: "recap", force: true } },
	{ value: "show", description: "Show the recap without asking a model", action: { type: "show" } },
	{ value: "clear", description: "Take the recap off the screen", action: { type: "clear" } },
	{ value: "on", description: "Recaps come by themselves", action: { type: "on" } },
	{ value: "off", description: "No recaps unless you type /recap", action: { type: "off" } },
	{ value: "status", description: "What is on, which model, what it has cost", action: { type: "status" } },
	{
		value: "doctor",
		description: "Explain what the terminal and the model can do",
		action: { type: "doctor", prompt: false },
	},
	{
		value: "doctor --prompt",
		description: "The exact text that would be sent",
		action: { type: "doctor", prompt: true },
	},
	{ value: "--help", description: "What /recap can do", action: { type: "help" } },
];

/** Read the arguments of `/recap`. */
export function parseCommand(args: string): RecapAction {
	const words = args.trim().toLowerCase().split(/\s+/).join(" ");
	if (words === "") return { type: "recap", force: false };
	if (words === "help" || words === "-h") return { type: "help" };
	return CHOICES.find(({ value }) => value === words)?.action ?? { type: "unknown", word: args.trim() };
}

/**
 * Completions for what stands behind `/recap `; null: none fits. A word that is complete offers nothing more: with a
 * list open, the host's Enter only completes and does not submit.
 */
export function completeCommand(
	prefix: string,
): { value: string; label: string; description: string }[] | null {
	const typed = prefix.trimStart().toLowerCase();
	const fitting = CHOICES.filter(({ value }) => value.startsWith(typed));
	if (fitting.length === 0 || fitting.some(({ value }) => value === typed)) return null;
	return fitting.map(({ value, description }) => ({ value, label: value, description }));
}

/** The answer to `/recap --help`. */
export function helpText(): string {
	const rows = CHOICES.map(({ value, description }) => `  /recap ${value.padEnd(16)} ${description}`);
	return ["  /recap                  Say where this session stands", ...rows].join("\n");
}
