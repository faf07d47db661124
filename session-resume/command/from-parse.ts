import { readArguments } from "../../session-core/command/arguments.ts";
import type { CommandOption } from "../../session-core/command/options.ts";

/** What `/resume-from …` asks for. Without a session it is about the one that is open. */
export type FromAction =
	| { type: "go"; session: string; at: string | undefined; branch: boolean }
	| { type: "help" }
	| { type: "unknown"; word: string }
	/** `--at` without an entry, or nothing to go on from. */
	| { type: "incomplete" };

export const FROM_OPTIONS: readonly CommandOption[] = [
	{ value: "<title|id>", description: "Open another session and put its next step into the editor" },
	{ value: "<title|id> --branch", description: "Go on in a fork; that session stays as it is" },
	{ value: "<title|id> --at <entry>", description: "Go on in a fork from an earlier point" },
	{ value: "--at <entry>", description: "The same in this session" },
	{ value: "-- <title>", description: "A title that begins with --" },
	{ value: "--help", description: "What /resume-from can do" },
];

/** Read the arguments of `/resume-from`. */
export function parseFrom(args: string): FromAction {
	const given = readArguments(args, { switches: ["--branch"], valued: ["--at"] });
	if (given.type !== "given") return given;
	const at = given.values["--at"];
	const branch = given.has("--branch");
	if (at === "" || (given.text === "" && at === undefined && !branch)) return { type: "incomplete" };
	return { type: "go", session: given.text, at, branch };
}
