/**
 * Runs the host tests on newer hosts, each of which is installed once below node_modules. On the newest host, all tests run in fullscreen
 * mode, and the tests that depend on the mode also run in regular mode. On the other host, only the tests that depend on the host version
 * run. With `--if-installable`, a host that cannot be installed is a failure only if the registry can be reached. With `--install`, the
 * hosts are installed, but no test runs.
 */
import { spawnSync } from "node:child_process";
import { BETWEEN, canReachRegistry, copyOf, installHost, NEWEST } from "./newer-hosts.mjs";
import { addFailure, resultFile } from "./test-results.mjs";

/** All tests that start a host. Tests that show nothing about the host itself are skipped on newer hosts (`IS_NEWER_HOST`). */
const WHOLE = [
	"test/recap",
	"test/title",
	"test/resume",
	"test/recall/recall",
	"test/serve/host",
	"test/shell",
	"test/beside",
	"test/print-mode",
	"test/packages",
];
/** Tests of painting, focus reports and keyboard focus, all of which depend on whether the host runs in fullscreen or regular mode. */
const BY_MODE = ["test/recap/terminal", "test/resume/board.test"];
/** Tests of behavior that differs between host versions: terminal, session replacement, names, opening another session. */
const SEAMS = [
	"test/recap/terminal",
	"test/recap/fullscreen",
	"test/recap/replacement",
	"test/resume/resume",
	"test/title/automatic",
];
const RUNS = [
	{ host: BETWEEN, tests: SEAMS },
	{ host: NEWEST, tests: WHOLE },
	{ host: NEWEST, tests: BY_MODE, mode: "regular" },
];

const args = process.argv.slice(2);
const mayBeMissing = args.includes("--if-installable");
const wanted = args.find((arg) => !arg.startsWith("--"));
const runs = RUNS.filter(({ host }) => wanted === undefined || host.version === wanted);
if (runs.length === 0) {
	console.error(`unknown host "${wanted}"; known hosts: ${BETWEEN.version}, ${NEWEST.version}`);
	process.exit(2);
}

if (args.includes("--install")) {
	for (const { host } of runs) installHost(host);
	process.exit(0);
}

// The hosts run one after the other, because running two at a time would slow down every test.
const verdicts = [];
let isFine = true;
for (const run of runs) {
	const name = `${run.host.version}${run.mode ? ` (${run.mode} mode)` : ""}`;
	const result = installHost(run.host) ? test(run, name) : missing(run.host, name);
	verdicts.push(`${name} ${result.verdict}`);
	isFine &&= result.isFine;
}
console.log(`\nHosts: ${verdicts.join("; ")}.`);
process.exitCode = isFine ? 0 : 1;

function missing(host, name) {
	const isExcused = mayBeMissing && !canReachRegistry(host);
	if (!isExcused) addFailure(name, "the host could not be installed");
	return { verdict: "NOT TESTED: it could not be installed", isFine: isExcused };
}

function test({ host, tests, mode }, name) {
	console.log(`\npi ${name}`);
	const { cli, node } = copyOf(host);
	const env = { ...process.env, PI_SUITE_HOST_CLI: cli, PI_SUITE_HOST_NODE: node };
	if (mode) env.PI_SUITE_TUI_MODE = mode;
	const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${resultFile(name)}`];
	const { status } = spawnSync("npx", ["vitest", "run", ...reporters, ...tests], {
		env,
		stdio: ["ignore", "inherit", "inherit"],
		shell: process.platform === "win32",
	});
	return { verdict: status === 0 ? "passed" : "FAILED", isFine: status === 0 };
}
