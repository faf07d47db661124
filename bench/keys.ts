import { inputHandler } from "../session-recap/terminal.ts";
import { type BenchRow, median, repeated, timeOf } from "./lib/harness.ts";

const KEYS = ["a", "é", "한", "\x1b[A", "\r", "\x1b[97;1:3u", "\x1b[200~pasted\x1b[201~"];
const BATCH = 100_000;

/** Measures how long a keystroke takes in our raw input handler. */
export async function rows(): Promise<BenchRow[]> {
	let keys = 0;
	const handle = inputHandler(
		{ useFocus: true, areHosts: () => false },
		{ focusIn: () => undefined, focusOut: () => undefined, key: () => void keys++ },
	);
	const batch = () => {
		for (let i = 0; i < BATCH; i++) handle(KEYS[i % KEYS.length] ?? "a");
	};
	const times = await repeated(21, () => timeOf(batch));
	if (keys === 0) throw new Error("no key reached the listener");
	const value = (median(times) * 1_000) / BATCH;
	return [{ what: "Keystroke handler: median time", value, unit: "µs", most: 2 }];
}
