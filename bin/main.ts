import { clipColumns } from "../session-core/text/clip.ts";
import { nearest } from "../session-core/text/nearest.ts";
import { cleanLine, cleanText } from "../session-core/text/sanitize.ts";
import { COMMANDS } from "./commands.ts";
import { runCommand } from "./shell/command.ts";
import { columnsOf, tableLines, wrapped } from "./shell/terminal.ts";
import { DONE, FAILED, NOT_FOUND, type Sink, versionOf, type World, worldOf } from "./shell/world.ts";

/** `pi-sessions …`. Gives the exit code. */
export async function main(words: readonly string[], given?: World): Promise<number> {
	const [first, ...others] = words;
	// `help list` is `list --help`.
	const [asked = ""] = others;
	const [name, ...rest] = first === "help" && Object.hasOwn(COMMANDS, asked) ? [asked, "--help"] : words;
	const found = given ?? (await worldOf(process));
	const world = { ...found, err: sanitized(found.err) };
	if (name === undefined || name === "help" || name === "--help" || name === "-h") {
		const to = name === undefined ? world.err : world.out;
		to.write(overview(columnsOf(to)));
		return name === undefined ? NOT_FOUND : DONE;
	}
	if (name === "--version" || name === "-v") {
		world.out.write(`${versionOf()}\n`);
		return DONE;
	}
	const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
	if (!command) {
		const [near] = nearest(name, Object.keys(COMMANDS), (text) => text, 1);
		const hint = near === undefined ? "" : ` Did you mean ${near}?`;
		world.err.write(
			`pi-sessions: there is no command ${clipColumns(cleanLine(name), 40)}.${hint} See pi-sessions --help.\n`,
		);
		return NOT_FOUND;
	}
	try {
		return await runCommand(name, command, rest, world);
	} catch (bug) {
		// Session files and folders hold what nobody foresaw.
		const why = bug instanceof Error ? bug.message : String(bug);
		world.err.write(`pi-sessions ${name}: failed (${clipColumns(cleanLine(why), 200)}).\n`);
		return FAILED;
	}
}

/** Messages quote names of files, folders and sessions, so nothing reaches stderr unsanitized. */
function sanitized(sink: Sink): Sink {
	return { isTTY: sink.isTTY, columns: sink.columns, write: (text) => sink.write(cleanText(text)) };
}

function overview(columns: number | undefined): string {
	const rows = Object.entries(COMMANDS).map(([name, { summary }]): [string, string] => [name, summary]);
	return [
		...wrapped("pi-sessions: the sessions of the pi coding agent, from a shell.", columns),
		"",
		...wrapped("usage: pi-sessions <command> [options]", columns),
		"",
		...tableLines(rows, columns),
		"",
		...wrapped("pi-sessions <command> --help explains a command; --version prints the version.", columns),
		"",
	].join("\n");
}
