import type { ExtensionUIContext } from "@mariozechner/pi-coding-agent";
import { ownDialog } from "./host-events.ts";

export interface Choice<Value> {
	label: string;
	value: Value;
}

/**
 * Lets the user choose from a list in the host's dialog. Resolves to undefined if the user chooses nothing. The dialog returns only the
 * chosen label, so duplicate labels are made unique.
 */
export async function pick<Value>(
	ui: Pick<ExtensionUIContext, "select">,
	question: string,
	choices: readonly Choice<Value>[],
	options: { signal?: AbortSignal } = {},
): Promise<Value | undefined> {
	const byLabel = new Map<string, Value>();
	for (const { label, value } of choices) byLabel.set(unused(label, byLabel), value);
	const picked = await ownDialog(() => ui.select(question, [...byLabel.keys()], options));
	return picked === undefined ? undefined : byLabel.get(picked);
}

function unused(label: string, taken: ReadonlyMap<string, unknown>): string {
	let number = 1;
	let free = label;
	while (taken.has(free)) free = `${label} (${++number})`;
	return free;
}
