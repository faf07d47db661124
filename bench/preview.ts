import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { type BenchRow, inFolder, measuredBy } from "./lib/harness.ts";

const BYTES = 500_000_000;
const LAST_RUN = 2_000_000;

/**
 * A small session is previewed first, so that only the large session's additional memory is measured.
 */
export function rows(): Promise<BenchRow[]> {
	return inFolder((folder) => {
		const [small, large] = [join(folder, "small.jsonl"), join(folder, "large.jsonl")];
		writeSession(small, 500_000, 50_000);
		writeSession(large, BYTES, LAST_RUN);
		const { ms, mb } = measuredBy<{ ms: number; mb: number }>("preview.ts", [small, large]);
		const what = "Preview of a session of 500 MB";
		return [
			{ what, value: ms, unit: "ms", most: 60 },
			{ what: `${what}: growth of the peak memory`, value: mb, unit: "MB", most: 30 },
		];
	});
}

function writeSession(path: string, bytes: number, lastRun: number): void {
	const fd = openSync(path, "w");
	const timestamp = "2026-01-31T12:00:00.000Z";
	let written = 0;
	let count = 0;
	let parentId: string | null = null;
	const line = (object: object) => {
		written += writeSync(fd, `${JSON.stringify(object)}\n`);
	};
	const message = (role: string, text: string, more = {}) => {
		const id = (++count).toString(16).padStart(8, "0");
		const content = [{ type: "text", text }];
		line({ type: "message", id, parentId, timestamp, message: { role, content, ...more } });
		parentId = id;
	};
	const call = () => {
		const toolCallId = `call-${count}`;
		message("assistant", `Look at part ${count}`, {
			content: [
				{ type: "toolCall", id: toolCallId, name: "bash", arguments: { command: `cat part-${count}` } },
			],
			stopReason: "toolUse",
		});
		message("toolResult", "a line of the file that was read ".repeat(300), { toolCallId, toolName: "bash" });
	};
	line({
		type: "session",
		version: 3,
		id: "01a1ffd6-c1b4-73fe-bf2a-8b5f1f0a6c11",
		timestamp,
		cwd: "/code/app",
	});
	while (written < bytes - lastRun) {
		message("user", `Please describe part ${count} of the project in a few words`);
		for (let step = 0; step < 8; step++) call();
		message("assistant", `Part ${count} of the project reads dates.`, { stopReason: "stop" });
	}
	message("user", "Now sort the menu by price and run the tests");
	while (written < bytes) call();
	message("assistant", "The menu is sorted by price, and the tests pass.", { stopReason: "stop" });
	closeSync(fd);
}
