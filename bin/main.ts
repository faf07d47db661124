import { nearest } from "../session-core/find/nearest.ts";
import { clipColumns } from "../session-core/text/clip.ts";
import { cleanLine } from "../session-core/text/sanitize.ts";
import { COMMANDS, isCommandName } from "./commands.ts";
import { DONE, FAILED, NOT_FOUND } from "./shell/exit.ts";
import { runCommand } from "./shell/run-command.ts";
import { type World, worldOf } from "./shell/world.ts";

/** `pi-sessions …`. Gives the exit code. */
export async function main(words: readonly string[], given?: World): Promise<number> {
	const [name, ...rest] = words;
	const world = given ?? (await worldOf(process));
	if (name === undefined || name === "help" || name === "--help" || name === "-h") {
		(name === undefined ? world.err : world.out).write(await overview());
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

async function overview(): Promise<string> {
	const names = Object.keys(COMMANDS).filter(isCommandName);
	const width = Math.max(...names.map((name) => name.length));
	const lines = names.map((name) => `  ${name.padEnd(width)}  ${COMMANDS[name].description}`);
	return [
		"pi-sessions: the sessions of the pi coding agent, from a shell.",
		"",
		"usage: pi-sessions <command> [options]",
		"",
		...lines,
		"",
		"pi-sessions <command> --help says more about a command.",
		"",
	].join("\n");
}
