// Runs the real-host tests on newer hosts, each in a folder of its own below node_modules, installed once: the newest one whole,
// the ones between it and the locked one only where extensions meet the host. The last line says what became of each.
// `--if-installable`: a host that cannot be installed is told and no failure (CI without a way to the registry).
import { spawn } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { BETWEEN, copyOf, NEWEST } from "./newer-hosts.mjs";

/** The host's loader held against ours, and every scenario of the three extensions. */
const WHOLE = ["session-core/store/host-loader.fuzz", "test/recap/", "test/title/", "test/resume/"];
/** Where the host's generations differ: terminal, replacement of a session, names, model calls, opening another session. */
const SEAMS = [
	"session-core/store/host-loader.fuzz",
	"test/recap/terminal",
	"test/recap/replacement",
	"test/title/automatic",
	"test/resume/resume.test",
	"test/resume/card",
	"test/resume/typing",
];
const HOSTS = [
	{ ...BETWEEN, tests: SEAMS },
	{ ...NEWEST, tests: WHOLE },
];

const NOT_TESTED = "NOT TESTED: it could not be installed";
/** Characters that are told again of a run that failed without naming a failure. */
const LAST_WORDS = 2_000;

const args = process.argv.slice(2);
const mayBeMissing = args.includes("--if-installable");
const wanted = args.find((arg) => !arg.startsWith("--"));
const hosts = HOSTS.filter(({ version }) => wanted === undefined || version === wanted);
if (hosts.length === 0) {
	console.error(`unknown host "${wanted}"; known are ${HOSTS.map(({ version }) => version).join(", ")}`);
	process.exit(2);
}

// Side by side: installing waits for the network. Testing needs the processor, so that comes one after the other.
const installed = await Promise.all(hosts.map((host) => install(host)));
const results = [];
for (const [at, host] of hosts.entries())
	results.push(installed[at] ? await test(host) : { verdict: NOT_TESTED });
// Told once more: the end of a long log is the part that is kept.
for (const [at, { failure }] of results.entries())
	if (failure) console.log(`\nWhat failed on ${hosts[at].version}: ${failure}`);
console.log(`\nHosts: ${hosts.map(({ version }, at) => `${version} ${results[at].verdict}`).join("; ")}.`);
const isFine = ({ verdict }) => verdict === "passed" || (mayBeMissing && verdict === NOT_TESTED);
process.exitCode = results.every(isFine) ? 0 : 1;

async function install(host) {
	const { folder, stamp } = copyOf(host);
	if (existsSync(stamp)) return true;
	const { version, node } = host;
	const packages = [`@earendil-works/pi-coding-agent@${version}`, ...(node ? [`node@${node}`] : [])];
	const options = ["--prefix", folder, "--no-audit", "--no-fund", "--loglevel=error"];
	const npm = spawn("npm", ["install", ...options, ...packages], {
		stdio: ["ignore", "inherit", "inherit"],
		shell: process.platform === "win32",
	});
	const isWhole = (await ended(npm)) === 0;
	if (isWhole) writeFileSync(stamp, "");
	return isWhole;
}

async function test(host) {
	console.log(`\nHost ${host.version}${host.node ? ` on Node ${host.node}` : ""}`);
	const { cli, node } = copyOf(host);
	const env = { ...process.env, PI_SUITE_HOST_CLI: cli, ...(node && { PI_SUITE_HOST_NODE: node }) };
	const run = spawn("npx", ["vitest", "run", ...host.tests], {
		env,
		stdio: ["ignore", "pipe", "pipe"],
		shell: process.platform === "win32",
	});
	let output = "";
	for (const stream of ["stdout", "stderr"]) {
		run[stream].setEncoding("utf8").on("data", (text) => {
			process[stream].write(text);
			output += text;
		});
	}
	const code = await ended(run);
	return code === 0 ? { verdict: "passed" } : { verdict: "FAILED", failure: failureIn(output) };
}

/** Exit code of a process; undefined where it could not be started. */
function ended(child) {
	return new Promise((resolve) => {
		child.once("error", () => resolve(undefined));
		child.once("close", resolve);
	});
}

/** What the runner says of its failures; without that its last words. */
function failureIn(output) {
	const from = output.search(/Failed (?:Suites|Tests) \d|Unhandled Errors/);
	return from < 0 ? output.slice(-LAST_WORDS) : output.slice(from);
}
