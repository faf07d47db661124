import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const run = promisify(execFile);
const core = fileURLToPath(new URL(".", import.meta.url));

/** What programs outside the host read sessions with. */
const ENTRY_POINTS = [
	"catalog/listing.ts",
	"search/search.ts",
	"search/find.ts",
	"search/report.ts",
	"session-file/session-file.ts",
	"catalog/summary.ts",
	"session-file/check-session.ts",
	"recap/record-entry.ts",
	"live/lease-files.ts",
	"session-file/copy-session.ts",
	"live/go-to-terminal.ts",
	"catalog/match.ts",
	"session-view/read-session.ts",
	"recap/make-record.ts",
	"resume-plan/plan.ts",
	"repository.ts",
	"timeline/timeline.ts",
	"recap/heuristic.ts",
	"recap/text.ts",
	"session-file/append.ts",
	"text/clip.ts",
];

/** Loads them as `pi-sessions` does, where neither the host's packages nor the schema library can be had. */
const PROGRAM = `
	import { createJiti } from "jiti";
	const absent = "/absent/package.mjs";
	const names = ["pi-tui", "pi-ai", "pi-coding-agent", "pi-agent-core"].map((name) => "@mariozechner/" + name);
	const alias = Object.fromEntries([...names, "typebox"].map((name) => [name, absent]));
	const jiti = createJiti(process.argv[1], { alias, fsCache: false, moduleCache: true });
	for (const path of process.argv.slice(2)) await jiti.import(path);
	console.log("loaded");
`;

async function load(paths: readonly string[]): Promise<{ stdout: string; stderr: string }> {
	const args = ["--input-type=module", "-e", PROGRAM, core, ...paths.map((path) => core + path)];
	return run(process.execPath, args, { cwd: core, timeout: 55_000 });
}

test("sessions are read without the host's packages and without the schema library", async () => {
	expect((await load(ENTRY_POINTS)).stdout).toBe("loaded\n");
});
