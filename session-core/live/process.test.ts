import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { expect, it } from "vitest";
import { until } from "../../test/host/until.ts";
import { isAlive, startTicks } from "./liveness.mjs";

it("a process runs until it has ended", async () => {
	expect(isAlive(process.pid)).toBe(true);
	const child = spawn(process.execPath, ["-e", ""]);
	await once(child, "exit");
	expect(isAlive(child.pid ?? 0)).toBe(false);
	expect(startTicks(child.pid ?? 0)).toBeUndefined();
});

it.runIf(existsSync("/proc/self/stat"))(
	"one that was killed and that its parent never asked for does not run",
	async () => {
		const parent = spawn("sh", ["-c", "sleep 60 & echo $!; exec sleep 60"]);
		const [line] = await once(createInterface({ input: parent.stdout }), "line");
		const pid = Number(line);
		// The shell itself might still ask for its child; `sleep` never does.
		const program = () => readFileSync(`/proc/${parent.pid}/comm`, "utf8").trim();
		await until(() => program() === "sleep", { what: "the shell to become sleep" });
		expect(isAlive(pid)).toBe(true);
		process.kill(pid, "SIGKILL");
		await until(() => !isAlive(pid), { what: "the killed process to be gone" });
		// It still has its id.
		expect(() => process.kill(pid, 0)).not.toThrow();
		parent.kill("SIGKILL");
		await once(parent, "exit");
	},
);
