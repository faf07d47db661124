import { nearest } from "../session-core/find/nearest.ts";
import { clipColumns } from "../session-core/text/clip.ts";
import { cleanLine } from "../session-core/text/sanitize.ts";
import { COMMANDS, isCommandName } from "./commands.ts";
import { DONE, FAILED, NOT_FOUND } from "./shell/exit.ts";
import { columnsOf } from "./shell/paint.ts";
import { runCommand } from "./shell/run-command.ts";
import { tableLines } from "./shell/table.ts";
import { type World, worldOf } from "./shell/world.ts";
import { wrapped } from "./shell/wrap.ts";

/** `pi-sessions …`. Gives the exit code. */
export async function main(words: readonly string[], given?: World): Promise<number> {
	const [first, ...others] = words;
	// `help list` is `list --help`.
	const [asked = ""] = others;
	const [name, ...rest] = first === "help" && isCommandName(asked) ? [asked, "--help"] : words;
	const world = given ?? (await worldOf(process));
	if (name === undefined || name === "help" || name === "--help" || name === "-h") {
		const to = name === undefined ? world.err : world.out;
		to.write(overview(columnsOf(to)));
		return name === undefined ? NOT_FOUND : DONE;
	}
	if (name === "--version" || name === "-v") {
		const { versionOf } = await import("./shell/version.ts");
		world.out.write(`${versionOf()}\n`);
		return DONE;
	}
	if (!isCommandName(name)) {
		const [near] = nearest(name, Object.keys(COMMANDS), (text) => text, 1);
		const hint = near === undefined ? "" : ` Did you mean ${near}?`;
		world.err.write(
			`pi-sessions: there is no command ${clipColumns(cleanLine(name), 40)}.${hint} See pi-sessions --help.\n`,
		);
		return NOT_FOUND;
	}
	try {
		return await runCommand(await COMMANDS[name].load(), rest, world, COMMANDS);
	} catch (bug) {
		// Session files and folders hold what nobody foresaw.
		const why = bug instanceof Error ? bug.message : String(bug);
		world.err.write(`pi-sessions ${name}: failed (${clipColumns(cleanLine(why), 200)}).\n`);
		return FAILED;
	}
}

function overview(columns: number | undefined): string {
	const rows = Object.entries(COMMANDS).map(([name, { description }]): [string, string] => [
		name,
		description,
	]);
	return [
		...wrapped("pi-sessions: the sessions of the pi coding agent, from a shell.", columns),
		"",
		...wrapped("usage: pi-sessions <command> [options]", columns),
		"",
		...tableLines(rows, columns),
		"",
		...wrapped(
			"pi-sessions <command> --help says more about a command; --version says which this is.",
			columns,
		),
		"",
	].join("\n");
}
