import { isOwnSocket } from "./own-socket.ts";
import type { TerminalPlace } from "./place.ts";
import { runProgram } from "./run-program.ts";

/** By remote control on its socket: through the terminal itself, the answer would come in between the user's keys. */
export async function focusKitty({ kitty }: TerminalPlace, env: NodeJS.ProcessEnv): Promise<boolean> {
	const { window, listenOn } = kitty ?? {};
	if (window === undefined || listenOn === undefined || !isUsable(listenOn)) return false;
	const args = ["@", "--to", listenOn, "focus-window", "--match", `id:${window}`];
	const asked = await runProgram(["kitten", ...args], { env });
	// Before 0.27 there was no kitten.
	const isOld = !asked.ok && asked.reason === "missing";
	return (isOld ? await runProgram(["kitty", ...args], { env }) : asked).ok;
}

function isUsable(listenOn: string): boolean {
	const path = listenOn.slice("unix:".length);
	return path.startsWith("@") || isOwnSocket(path);
}

/** By its command line, which finds the newest instance by itself where no socket is known. */
export async function activateWezterm({ wezterm }: TerminalPlace, env: NodeJS.ProcessEnv): Promise<boolean> {
	if (!wezterm) return false;
	const { pane, socket } = wezterm;
	// Windows does not say of a socket that it is one.
	if (socket !== undefined && process.platform !== "win32" && !isOwnSocket(socket)) return false;
	const { WEZTERM_UNIX_SOCKET: _own, ...rest } = env;
	const asked = await runProgram(["wezterm", "cli", "--no-auto-start", "activate-pane", "--pane-id", pane], {
		env: socket === undefined ? rest : { ...rest, WEZTERM_UNIX_SOCKET: socket },
	});
	return asked.ok;
}
