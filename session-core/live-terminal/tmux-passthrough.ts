import { isOwnSocket } from "./own-socket.ts";
import { placeFrom } from "./place.ts";
import { runProgram } from "./run-program.ts";

const FORMAT =
	"#{allow-passthrough} #{window_active} #{session_attached} #{client_termname} #{client_termtype}";
/** Before 3.4 the option is a flag. */
const ALLOWED = /^(all \d|(?:on|1) 1) [1-9]\d* (.*)$/;

/**
 * The names of the terminal around this process's tmux, if tmux passes on what is meant for it and somebody looks at the session:
 * with `on` only from the window in front. Undefined: it does not, or this is no tmux.
 */
export async function outerTerminal(env: NodeJS.ProcessEnv): Promise<string | undefined> {
	const { tmux } = placeFrom(env, undefined);
	if (!tmux || !isOwnSocket(tmux.socket)) return undefined;
	const ask = ["tmux", "-S", tmux.socket, "display-message", "-p", "-t", tmux.pane, FORMAT] as const;
	const asked = await runProgram(ask, { env, deadlineMs: 1_000 });
	return asked.ok ? ALLOWED.exec(asked.output.trimEnd())?.[2] : undefined;
}
