import { win32 } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryName } from "./atomic-file.ts";
import { projectFolder } from "./folders.ts";
import { hasEnded, ownMark, type Processes, readMark } from "./writer.ts";

/** Windows tells no start of a process, and has no `/proc`: every process is of one space. */
const onWindows = (running: readonly number[]): Processes => ({
	space: "00000000",
	isAlive: (pid) => running.includes(pid),
	startTicks: () => undefined,
});

describe("on Windows", () => {
	it.each([
		["C:\\code\\app", "--C--code-app--"],
		["c:\\Users\\Ann Lee\\app", "--c--Users-Ann Lee-app--"],
		["\\\\server\\share\\app", "---server-share-app--"],
	])("the sessions of %s stand in one folder, named as the host names it", (cwd, name) => {
		const folder = win32.basename(projectFolder("C:\\pi\\sessions", cwd).replaceAll("/", "\\"));
		expect(folder).toBe(name);
		expect(folder).not.toMatch(/[<>:"|?*]/);
	});

	it("a file that is being written has a name that it may have", () => {
		const name = win32.basename(temporaryName("C:\\pi\\session-suite\\machine"));
		expect(name).toMatch(/^machine\.[\w.-]*\w$/);
		expect(win32.extname(name)).toBe(".tmp");
	});

	it("a lock is told from a dead one's by its process id alone", () => {
		const writer = readMark(ownMark().replace(/^\w+/, "00000000"));
		if (!writer) throw new Error("no mark");
		const unknown = { ...writer, started: 0 };
		expect(hasEnded(unknown, 0, onWindows([process.pid]))).toBe(false);
		expect(hasEnded(unknown, 60_000, onWindows([process.pid]))).toBe(false);
		expect(hasEnded(unknown, 0, onWindows([]))).toBe(true);
	});
});
