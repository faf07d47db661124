import { cleanLine, clipColumns } from "../session-core/text/index.ts";
import { nearest } from "../session-core/text/matching.ts";
import { COMMANDS } from "./commands.ts";
import { runCommand } from "./shell/command.ts";
import { columnsOf, tableLines, wrapped } from "./shell/terminal.ts";
import {
	bugFields,
	DONE,
	NOT_FOUND,
	type Surroundings,
	surroundings,
	versionOf,
	worldFor,
} from "./shell/world.ts";

/** Runs `pi-sessions` with these arguments. Resolves to the exit code. */
export async function main(words: readonly string[], given?: Surroundings): Promise<number> {
	// `help list` is `list --help`.
	const [first, second = ""] = words;
	const [name, ...rest] = first === "help" && Object.hasOwn(COMMANDS, second) ? [second, "--help"] : words;
	const found = given ?? (await surroundings(process));
	if (name === undefined && found.keyboard) {
		const code = await (await import("./command/pick.ts")).pick(worldFor("resume", found));
		if (code !== undefined) return code;
	}
	if (name === undefined || name === "help" || name === "--help" || name === "-h") {
		const to = name === undefined ? found.err : found.out;
		to.write(overview(columnsOf(to)));
		return name === undefined ? NOT_FOUND : DONE;
	}
	if (name === "--version" || name === "-v") {
		found.out.write(`${versionOf()}\n`);
		return DONE;
	}
	const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
	if (!command) {
		const [near] = nearest(name, Object.keys(COMMANDS), (text) => text, 1);
		const hint = near === undefined ? "" : ` Did you mean ${near}?`;
		const shown = clipColumns(cleanLine(name), 40);
		found.err.write(`pi-sessions: unknown command "${shown}".${hint} See pi-sessions --help.\n`);
		return NOT_FOUND;
	}
	const world = worldFor(name, found);
	try {
		const code = await runCommand(name, command, rest, world);
		world.log("shell.run", { command: name, code });
		return code;
	} catch (bug) {
		world.log("shell.failed", { command: name, ...bugFields(bug) });
		const why = bug instanceof Error ? bug.message : String(bug);
		return world.fail(`unexpected error: ${clipColumns(cleanLine(why), 200)}`);
	}
}

function overview(columns: number | undefined): string {
	const rows = Object.entries(COMMANDS).map(([name, { summary }]): [string, string] => [name, summary]);
	return [
		...wrapped("Work with pi coding agent sessions from the command line.", columns),
		"",
		...wrapped("usage: pi-sessions <command> [options]", columns),
		"",
		...tableLines(rows, columns),
		"",
		...wrapped(
			"Run pi-sessions <command> --help for options and examples, and --version for the version.",
			columns,
		),
		"",
	].join("\n");
}
