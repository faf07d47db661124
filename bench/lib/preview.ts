/**
 * Prints how long it takes to preview a large session, and by how much the preview increases peak
 * memory use.
 */
import { cardWords } from "../../session-core/recap/index.ts";
import { describeSession, sessionAt } from "../../session-core/sessions/index.ts";
import { timeOf } from "./harness.ts";

const [small = "", large = ""] = process.argv.slice(2);

async function preview(path: string): Promise<void> {
	const row = await sessionAt(path);
	if (!row) throw new Error(`${path} is not a session`);
	ms = await timeOf(async () => {
		const described = await describeSession(row, { now: () => 0, words: cardWords(undefined) });
		if (!described.ok || !described.record) throw new Error(`${path} could not be described`);
	});
}

const peakMb = () => process.resourceUsage().maxRSS / 1_024;
let ms = Number.NaN;
for (let round = 0; round < 20; round++) await preview(small);
const before = peakMb();
await preview(large);
console.log(JSON.stringify({ ms, mb: peakMb() - before }));
