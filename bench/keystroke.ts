import { inputHandler } from "../session-recap/terminal/attach.ts";
import { median } from "./lib/median.ts";
import { atMost, type BenchRow } from "./lib/row.ts";

const KEYS = ["a", "é", "한", "\x1b[A", "\r", "\x1b[97;1:3u", "\x1b[200~pasted\x1b[201~"];
const BATCH = 100_000;
const BUDGET_US = 2;

/** What one keystroke costs in our raw listener, beside the host's own work. */
export async function rows(): Promise<BenchRow[]> {
	let lastKeyAt = 0;
	const handle = inputHandler(
		{ useFocus: true, areHosts: () => false },
		{
			focusIn: () => undefined,
			focusOut: () => undefined,
			key: () => {
				lastKeyAt = Date.now();
			},
		},
	);
	const microseconds = Array.from({ length: 21 }, () => {
		const start = performance.now();
		for (let i = 0; i < BATCH; i++) handle(KEYS[i % KEYS.length] ?? "a");
		return ((performance.now() - start) * 1000) / BATCH;
	});
	if (lastKeyAt === 0) throw new Error("no key reached the listener");
	return [atMost("keystroke handler, median", median(microseconds), BUDGET_US, "µs")];
}
