// Runs the real-host tests on newer hosts, each in a folder of its own below node_modules, installed once: the newest one whole,
// the ones between it and the locked one only where extensions meet the host. The last line says what became of each.
// `--if-installable`: a host that cannot be installed is told and no failure (CI without a way to the registry).
import { spawn, spawnSync } from "node:child_process";
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
const results = hosts.map((host, at) =>
	installed[at] ? test(host) : "NOT TESTED: it could not be installed",
);
console.log(`\nHosts: ${hosts.map(({ version }, at) => `${version} ${results[at]}`).join("; ")}.`);
const isFine = (result) => result === "passed" || (mayBeMissing && result.startsWith("NOT TESTED"));
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
	const isWhole = await new Promise((resolve) => {
		npm.once("error", () => resolve(false));
		npm.once("close", (code) => resolve(code === 0));
	});
	if (isWhole) writeFileSync(stamp, "");
	return isWhole;
}

function test(host) {
	console.log(`\nHost ${host.version}${host.node ? ` on Node ${host.node}` : ""}`);
	const { cli, node } = copyOf(host);
	const env = { ...process.env, PI_SUITE_HOST_CLI: cli, ...(node && { PI_SUITE_HOST_NODE: node }) };
	const { status } = spawnSync("npx", ["vitest", "run", ...host.tests], {
		env,
		stdio: "inherit",
		shell: process.platform === "win32",
	});
	return status === 0 ? "passed" : "FAILED";
}
