import { isSameBoot, type Place } from "../store/machine.ts";
import type { LiveTarget } from "./where.ts";

/** Whether going there can be offered at all. Looks at nothing but what is known. */
export function canGo(target: LiveTarget, here: Place): boolean {
	const { tmux, kitty, wezterm } = target.terminal ?? {};
	return isHere(target, here) && (tmux ?? kitty?.listenOn ?? wezterm) !== undefined;
}

/** Numbers of processes, devices and panes mean the same here and there. */
export function isHere(target: LiveTarget, here: Place): boolean {
	return (
		target.machine === here.machine && isSameBoot(target.boot, here.boot) && target.pidSpace === here.pidSpace
	);
}
