import type { Option } from "./options.ts";

/** What `/resume-here …` asks for. */
export type HereAction =
	| { type: "go"; step: number | undefined; send: boolean; branch: boolean }
	| { type: "help" }
	| { type: "unknown"; word: string };

export const HERE_BARE = "Put the first next step into the editor, as a prompt that you can edit";

export const HERE_OPTIONS: readonly Option[] = [
	{ value: "2", description: "The second one; a number chooses" },
	{ value: "--send", description: "Send it at once" },
	{ value: "--branch", description: "Go on in a fork; this session stays as it is" },
	{ value: "--help", description: "What /resume-here can do" },
];

/** Read the arguments of `/resume-here`. */
export function parseHere(args: string): HereAction {
	const action = { type: "go" as const, step: undefined as number | undefined, send: false, branch: false };
	for (const word of args.trim().toLowerCase().split(/\s+/).filter(Boolean)) {
		if (word === "help" || word === "--help" || word === "-h") return { type: "help" };
		if (word === "--send") action.send = true;
		else if (word === "--branch") action.branch = true;
		else if (/^[1-9]$/.test(word) && action.step === undefined) action.step = Number(word);
		else return { type: "unknown", word };
	}
	return action;
}
