import { readArguments } from "../../session-core/command/arguments.ts";
import type { CommandOption } from "../../session-core/command/options.ts";

/** What `/resume-here …` asks for. */
export type HereAction =
	| {
			type: "go";
			step: number | undefined;
			send: boolean;
			branch: boolean | undefined;
			always: boolean;
			fresh: boolean;
	  }
	| { type: "help" }
	| { type: "unknown"; word: string };

export const HERE_OPTIONS: readonly CommandOption[] = [
	{ value: "", description: "Put the first next step into the editor, as a prompt that you can edit" },
	{ value: "2", description: "The second one; a number chooses" },
	{ value: "--send", description: "Send it at once" },
	{ value: "--branch", description: "Go on in a fork; this session stays as it is" },
	{ value: "--branch --always", description: "In a fork, now and whenever this session is resumed" },
	{ value: "--no-branch", description: "In this session, though it is set to be resumed in a fork" },
	{ value: "--no-branch --always", description: "In this session, now and whenever it is resumed" },
	{ value: "--fresh", description: "In a new session that begins with the recap; this one stays as it is" },
	{ value: "--help", description: "What /resume-here can do" },
];

/** Read the arguments of `/resume-here`. */
export function parseHere(args: string): HereAction {
	const given = readArguments(args, {
		switches: ["--send", "--branch", "--no-branch", "--always", "--fresh"],
	});
	if (given.type !== "given") return given;
	const { has, text } = given;
	if (text.toLowerCase() === "help") return { type: "help" };
	if (text !== "" && !/^[1-9]$/.test(text)) return { type: "unknown", word: text };
	// "Always" is said of a fork, one way or the other; and it is one or the other.
	const [isFork, isNoFork] = [has("--branch"), has("--no-branch")];
	if (isFork && isNoFork) return { type: "unknown", word: "--branch --no-branch" };
	if (has("--fresh") && (isFork || isNoFork)) return { type: "unknown", word: "--fresh --branch" };
	if (has("--always") && !isFork && !isNoFork) return { type: "unknown", word: "--always" };
	return {
		type: "go",
		step: text === "" ? undefined : Number(text),
		send: has("--send"),
		branch: isFork || isNoFork ? isFork : undefined,
		always: has("--always"),
		fresh: has("--fresh"),
	};
}
