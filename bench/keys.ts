import { attachTerminal } from "../session-recap/terminal.ts";
import { type BenchRow, median, repeated, timeOf } from "./lib/harness.ts";

const KEYS = ["a", "é", "한", "\x1b[A", "\r", "\x1b[97;1:3u", "\x1b[200~pasted\x1b[201~"];
const BATCH = 100_000;

export async function rows(): Promise<BenchRow[]> {
	let keys = 0;
	let handle: (data: string) => unknown = () => undefined;
	const nothing = () => undefined;
	const tui = { terminal: { write: nothing, start: nothing, stop: nothing, inputHandler: nothing } };
	const ui = {
		setWidget: (_key: string, factory: unknown) => typeof factory === "function" && factory(tui),
		onTerminalInput(listener: typeof handle) {
			handle = listener;
			return nothing;
		},
	};
	const events = {
		focusIn: nothing,
		focusOut: nothing,
		lost: nothing,
		gained: nothing,
		key: () => void keys++,
		mouse: nothing,
	};
	const link = attachTerminal(ui as never, true, events);
	const batch = () => {
		for (let i = 0; i < BATCH; i++) handle(KEYS[i % KEYS.length] ?? "a");
	};
	const times = await repeated(21, () => timeOf(batch));
	link.detach();
	if (keys === 0) throw new Error("no key reached the listener");
	const value = (median(times) * 1_000) / BATCH;
	return [{ what: "Keystroke handler: median time", value, unit: "µs", most: 2 }];
}
