import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import type { KeyId } from "@mariozechner/pi-tui";
import { lazily } from "../host/lazily.ts";
import { getAgentDir } from "../host/pi.ts";
import { BINDINGS_FILE, SHORTCUTS, type ShortcutName } from "./shortcuts.ts";

type Runs = Partial<Record<ShortcutName, (ctx: ExtensionContext) => void>>;

/**
 * Registers the actions of the shortcuts. Call this function in `session_start` and return its result, because the host collects shortcuts
 * right after that event. If there is no key bindings file, nothing is read or awaited.
 */
export function registerShortcuts(
	pi: Pick<ExtensionAPI, "registerShortcut">,
	runs: Runs,
): Promise<void> | undefined {
	const names = Object.keys(runs) as ShortcutName[];
	const register = (name: ShortcutName, keys: readonly KeyId[]) => {
		const handler = runs[name];
		const { description } = SHORTCUTS[name];
		if (handler) for (const key of keys) pi.registerShortcut(key, { description, handler });
	};
	const agentDir = getAgentDir();
	if (existsSync(join(agentDir, BINDINGS_FILE))) {
		return lazily(() => import("./key-bindings.ts")).then(({ readShortcuts }) => {
			const { keys } = readShortcuts(agentDir);
			for (const name of names) register(name, keys[name]);
		});
	}
	for (const name of names) register(name, [SHORTCUTS[name].key]);
	return undefined;
}
