import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { expect, it } from "vitest";
import { until } from "../../../test/host/until.ts";
import { isAlive } from "./liveness.mjs";

it.runIf(existsSync("/proc/self/stat"))(
	"a killed process that its parent has not reaped does not run",
	async () => {
		const parent = spawn("sh", ["-c", "sleep 600 & echo $!; exec sleep 600"]);
		const [line] = await once(createInterface({ input: parent.stdout }), "line");
		const pid = Number(line);
		// The parent process must be `sleep`, which never reaps its child. A shell could do so.
		const program = () => readFileSync(`/proc/${parent.pid}/comm`, "utf8").trim();
		await until(() => program() === "sleep", "the shell to become sleep");
		expect(isAlive(pid)).toBe(true);
		process.kill(pid, "SIGKILL");
		await until(() => !isAlive(pid), "the killed process to be gone");
		// The process id is still taken, because the process has not been reaped.
		expect(() => process.kill(pid, 0)).not.toThrow();
		parent.kill("SIGKILL");
		await once(parent, "exit");
	},
);
