import type { CommandTable, ShellCommand } from "./command.ts";
import { DONE, NOT_FOUND } from "./exit.ts";
import { problemIn } from "./options.ts";
import { columnsOf } from "./paint.ts";
import { PROGRAM, usageOf } from "./usage.ts";
import type { World } from "./world.ts";

/** Runs a subcommand with its words: help, the words that it does not know, or what it does. */
export async function runCommand(
	command: ShellCommand,
	words: readonly string[],
	world: World,
	commands: CommandTable,
): Promise<number> {
	const own = words.slice(0, words.includes("--") ? words.indexOf("--") : undefined);
	if (own.some((word) => word === "--help" || word === "-h")) {
		world.out.write(`${usageOf(command, columnsOf(world.out))}\n`);
		return DONE;
	}
	const problem = problemIn(own, command.args);
	if (problem !== undefined) {
		world.err.write(`${PROGRAM} ${command.name}: ${problem} See ${PROGRAM} ${command.name} --help.\n`);
		return NOT_FOUND;
	}
	return command.run(words, world, commands);
}
