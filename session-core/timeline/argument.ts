/** The argument of a call that says most: a command line, else a title, a query or the like. */
import type { ToolCall } from "../session-file/message.ts";

const SHELL_TOOLS =
	/^(?:bash|shell|sh|exec|execute|run_command|run_terminal_cmd|terminal|command|powershell)$/i;
/** Characters kept of a command line; what follows is some file's content. */
export const COMMAND_BOUND = 16_000;
const ARGUMENT_BOUND = 400;

/** The command line of a call that runs one. */
export function shellCommand({ name, args }: ToolCall): string | undefined {
	const line = args["command"] ?? args["cmd"] ?? args["script"];
	return SHELL_TOOLS.test(name) && typeof line === "string" && line.trim() !== ""
		? line.slice(0, COMMAND_BOUND)
		: undefined;
}

const TELLING_KEYS =
	/^(?:command|cmd|query|pattern|title|subject|message|name|task|description|prompt|question|url|id|action|text|input)$/i;

/** The argument that says most: one with a telling name, else the first short text. */
export function mainArgument(args: Record<string, unknown>): string {
	const texts = Object.entries(args).filter(
		(entry): entry is [string, string] => typeof entry[1] === "string" && entry[1].trim() !== "",
	);
	const telling =
		texts.find(([key]) => TELLING_KEYS.test(key)) ?? texts.find(([, text]) => text.length <= 120);
	return oneLine((telling ?? texts[0])?.[1] ?? "");
}

/** A text as one line. */
export function oneLine(text: string): string {
	return text.slice(0, COMMAND_BOUND).replace(/\s+/g, " ").trim().slice(0, ARGUMENT_BOUND);
}
