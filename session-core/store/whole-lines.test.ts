import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { describe, expect, test } from "vitest";
import { parseEntries } from "./entries.test-support.ts";
import { forkFile } from "./fork-file.ts";
import { hostReading } from "./host-reading.ts";
import { readWholeSession } from "./session-file.ts";
import { put, SessionText, useTemporaryFolder } from "./store.test-support.ts";
import { wholeLines } from "./whole-lines.ts";

const folder = useTemporaryFolder();

/** A session of some 70 MB: many turns with tool output of 20 KB. */
function largeSession(): string {
	const path = put(join(folder(), "large.jsonl"), new SessionText().user("Fix it").toString());
	const turns = new SessionText();
	turns.lines.length = 0;
	for (let count = 0; count < 100; count++) turns.padding(20_000).assistant("Done");
	for (let count = 0; count < 35; count++) appendFileSync(path, turns.toString());
	return path;
}

/** How long the event loop was held at most while this ran, in milliseconds. */
async function heldBy(work: () => Promise<unknown>): Promise<number> {
	const delay = monitorEventLoopDelay({ resolution: 1 });
	delay.enable();
	await work();
	await new Promise((resolve) => setTimeout(resolve, 5));
	delay.disable();
	return delay.max / 1e6;
}

describe("reading a file whole", () => {
	test("gives every line, and stops when it is enough", async () => {
		const path = put(join(folder(), "a"), "one\n\ntwo\nthree");
		const seen: string[] = [];
		const read = (until = "") =>
			wholeLines(path, (line) => {
				seen.push("bytes" in line ? line.bytes.toString() : "long");
				return seen.at(-1) === until ? "enough" : undefined;
			});
		expect(await read()).toMatchObject({ ok: true, stamp: { size: 14 } });
		expect(seen.splice(0)).toEqual(["one", "two", "three"]);
		await read("two");
		expect(seen).toEqual(["one", "two"]);
	});

	test("a failure is a value", async () => {
		expect(await wholeLines(folder(), () => undefined)).toMatchObject({ ok: false, reason: "not_regular" });
		expect(await wholeLines(join(folder(), "gone"), () => undefined)).toMatchObject({ reason: "missing" });
	});

	test("a session of 70 MB never holds the event loop for long, whatever is done with it", async () => {
		const path = largeSession();
		const started = performance.now();
		parseEntries(readFileSync(path));
		const atOnce = performance.now() - started;
		const fork = { path, entryId: undefined, cwd: "/x", folder: join(folder(), "forks"), now: new Date() };
		for (const work of [() => hostReading(path), () => readWholeSession(path), () => forkFile(fork)]) {
			expect(await heldBy(work)).toBeLessThan(atOnce / 2);
		}
	});
});
