import { Command, CommanderError } from "commander";
import { cleanLine, cleanText, clipColumns, errorFields } from "../session-core/text/index.ts";
import { addCommands } from "./commands.ts";
import { packageVersion } from "./place.mjs";
import { columnsOf, DONE, NOT_FOUND, type Surroundings, surroundings, worldFor } from "./shell/world.ts";

export async function main(words: readonly string[], given?: Surroundings): Promise<number> {
	const around = given ?? surroundings(process);
	const { out, err } = around;
	if (words.length === 0 && around.keyboard) {
		const picked = await (await import("./command/list.ts")).pick(worldFor("resume", around));
		if (picked !== undefined) return picked;
	}
	let code = DONE;
	const program = new Command("pi-sessions")
		.description("Work with pi coding agent sessions from the command line.")
		.version(packageVersion(), "-v, --version", "Print the version")
		.helpOption("-h, --help", "Print help for a command")
		.helpCommand("help [command]", "Print help for a command")
		.showHelpAfterError("Run pi-sessions --help to see all commands.")
		.enablePositionalOptions()
		.exitOverride()
		.configureHelp({ minWidthToWrap: 12 })
		.configureOutput({
			writeOut: (text) => out.write(text),
			writeErr: (text) => err.write(cleanText(text)),
			getOutHelpWidth: () => columnsOf(out) ?? 100,
			getErrHelpWidth: () => columnsOf(err) ?? 100,
		});
	addCommands(program, async (command, more, act) => {
		const world = worldFor(command.name(), { ...around, ...more });
		try {
			code = await act(world);
			world.log("shell.run", { command: command.name(), code });
		} catch (bug) {
			world.log("shell.failed", { command: command.name(), ...errorFields(bug) });
			const why = bug instanceof Error ? bug.message : String(bug);
			const message = clipColumns(cleanLine(why), 200);
			code = world.fail(`An unexpected error occurred: ${message}`);
		}
	});
	try {
		await program.parseAsync(words, { from: "user" });
		return code;
	} catch (error) {
		if (error instanceof CommanderError) return error.exitCode === 0 ? DONE : NOT_FOUND;
		throw error;
	}
}
