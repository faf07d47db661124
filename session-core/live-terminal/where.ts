import { homedir } from "node:os";
import { cleanLine } from "../text/sanitize.ts";
import type { TerminalWords } from "../words/words.ts";
import type { TerminalPlace } from "./place.ts";

/** A live session as its lease describes it. */
export interface LiveTarget {
	pid: number;
	/** The machine's name, for people. */
	host: string;
	machine: string;
	boot: string;
	pidSpace?: string;
	cwd?: string;
	terminal?: TerminalPlace;
}

const MAX_FOLDER = 80;
const MAX_HOST = 40;

/** Where a live session is, for those who have to find it themselves: `pid 4242, /dev/pts/3 (iTerm.app), in ~/code/app`. */
export function whereItIs(
	{ pid, host, cwd, terminal }: LiveTarget,
	{ isHere, words, home = homedir() }: { isHere: boolean; words: TerminalWords; home?: string },
): string {
	return [
		`pid ${pid}`,
		isHere ? undefined : words.onHost(cleanLine(host).slice(0, MAX_HOST)),
		terminal && terminalName(terminal),
		cwd === undefined ? undefined : words.inFolder(folderName(cwd, home)),
	]
		.filter((part) => part !== undefined && part !== "")
		.join(", ");
}

/** A terminal as people find it: `/dev/ttys004 (iTerm.app)`; empty where nothing is known of it. */
export function terminalName({ tty, program }: TerminalPlace): string {
	if (tty === undefined) return program ?? "";
	return program === undefined ? tty : `${tty} (${program})`;
}

/** The end of a long path tells more than its beginning. */
function folderName(cwd: string, home: string): string {
	const path = cleanLine(cwd);
	const short =
		home !== "" && (path === home || path.startsWith(`${home}/`)) ? `~${path.slice(home.length)}` : path;
	return short.length <= MAX_FOLDER
		? short
		: `…${Array.from(short)
				.slice(-MAX_FOLDER + 1)
				.join("")}`;
}
