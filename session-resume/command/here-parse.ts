import type { Option } from "./options.ts";

/** What `/resume-here …` asks for. */
export type HereAction =
	| { type: "go"; step: number | undefined; send: boolean; branch: boolean | undefined; always: boolean }
	| { type: "help" }
	| { type: "unknown"; word: string };

export const HERE_BARE = "Put the first next step into the editor, as a prompt that you can edit";

export const HERE_OPTIONS: readonly Option[] = [
	{ value: "2", description: "The second one; a number chooses" },
	{ value: "--send", description: "Send it at once" },
	{ value: "--branch", description: "Go on in a fork; this session stays as it is" },
	{ value: "--branch --always", description: "In a fork, now and whenever this session is resumed" },
	{ value: "--no-branch", description: "In this session, though it is set to be resumed in a fork" },
	{ value: "--no-branch --always", description: "In this session, now and whenever it is resumed" },
	{ value: "--help", description: "What /resume-here can do" },
];

/** Read the arguments of `/resume-here`. */
export function parseHere(args: string): HereAction {
	const action: Extract<HereAction, { type: "go" }> = {
		type: "go",
		step: undefined,
		send: false,
		branch: undefined,
		always: false,
	};
	for (const word of args.trim().toLowerCase().split(/\s+/).filter(Boolean)) {
		if (word === "help" || word === "--help" || word === "-h") return { type: "help" };
		if (word === "--send") action.send = true;
		else if (word === "--branch" || word === "--no-branch") action.branch = word === "--branch";
		else if (word === "--always") action.always = true;
		else if (/^[1-9]$/.test(word) && action.step === undefined) action.step = Number(word);
		else return { type: "unknown", word };
	}
	// "Always" is said of a fork, one way or the other.
	if (action.always && action.branch === undefined) return { type: "unknown", word: "--always" };
	return action;
}
