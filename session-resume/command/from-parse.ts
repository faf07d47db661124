import type { Option } from "./options.ts";

/** What `/resume-from …` asks for. Without a session it is about the one that is open. */
export type FromAction =
	| { type: "go"; session: string; at: string | undefined; branch: boolean }
	| { type: "help" }
	| { type: "unknown"; word: string }
	/** `--at` without an entry, or nothing to go on from. */
	| { type: "incomplete" };

export const FROM_BARE = "Open another session (<title or id>) and put its next step into the editor";

export const FROM_OPTIONS: readonly Option[] = [
	{ value: "<title|id> --branch", description: "Go on in a fork; that session stays as it is" },
	{ value: "<title|id> --at <entry>", description: "Go on in a fork from an earlier point" },
	{ value: "--at <entry>", description: "The same in this session" },
	{ value: "-- <title>", description: "A title that begins with --" },
	{ value: "--help", description: "What /resume-from can do" },
];

/** Read the arguments of `/resume-from`. Flags may stand anywhere; behind `--` everything is the title. */
export function parseFrom(args: string): FromAction {
	const words = args.trim().split(/\s+/).filter(Boolean);
	const title: string[] = [];
	let at: string | undefined;
	let branch = false;
	for (let index = 0; index < words.length; index++) {
		const word = words[index] ?? "";
		if (word === "--") {
			title.push(...words.slice(index + 1));
			break;
		}
		if (word === "--help" || word === "-h") return { type: "help" };
		if (word === "--branch") branch = true;
		else if (word === "--at") {
			at = words[++index];
			if (at === undefined || at.startsWith("-")) return { type: "incomplete" };
		} else if (word.startsWith("--")) return { type: "unknown", word };
		else title.push(word);
	}
	const session = title.join(" ");
	if (session === "" && at === undefined && !branch) return { type: "incomplete" };
	return { type: "go", session, at, branch };
}
