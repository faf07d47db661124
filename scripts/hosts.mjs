/**
 * Runs the tests that start pi on versions of pi that are newer than the development dependency.
 * `--install` only installs these versions. With `--if-installable`, it is not a failure if a version
 * cannot be installed because the registry is unreachable.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { addFailure, resultFile } from "./test-results.mjs";

const COPIES = fileURLToPath(new URL("../node_modules/.cache/newer-hosts", import.meta.url));
const PACKAGE = "@earendil-works/pi-coding-agent";
/**
 * Newer pi versions require a newer Node.js version than this package does. The npm package `node`
 * provides that version.
 */
const NODE = "node@24";

const BETWEEN = { version: "0.87.1" };
/**
 * npm cannot install this version of pi directly, because pi's package.json lists unpublished packages.
 * `beside` lists the packages that pi needs at run time.
 */
const NEWEST = {
	version: "1.6.0",
	beside: ["jiti", "typebox", "@silvia-odwyer/photon-node", "quickjs-wasi"],
};

const WHOLE = [
	"test/recap",
	"test/title",
	"test/resume",
	"test/recall/recall",
	"test/shell/resume",
	"test/beside",
	"test/print-mode",
	"test/packages",
];
/** The tests in `BY_MODE` depend on whether pi is in fullscreen or regular mode. */
const BY_MODE = ["test/recap/terminal", "test/resume/board.test"];
/** The tests in `SEAMS` check behavior that differs between versions of pi. */
const SEAMS = [
	"test/recap/terminal",
	"test/recap/fullscreen",
	"test/recap/replacement",
	"test/resume/resume",
	"test/title/automatic",
];
const RUNS = [
	{ host: NEWEST, tests: WHOLE },
	{ host: BETWEEN, tests: SEAMS },
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

// The tests on the newest pi version take the longest, so they run first and use all CPU cores.
const [first, ...others] = runs;
const verdicts = [await verdictOf(first), ...(await Promise.all(others.map((run) => verdictOf(run, 2))))];
console.log(`\nHosts: ${verdicts.map(({ name, verdict }) => `${name} ${verdict}`).join("; ")}.`);
process.exitCode = verdicts.every(({ isFine }) => isFine) ? 0 : 1;

async function verdictOf(run, workers) {
	const name = `${run.host.version}${run.mode ? ` (${run.mode} mode)` : ""}`;
	const result = installHost(run.host) ? await test(run, name, workers) : missing(run.host, name);
	return { name, ...result };
}

function missing(host, name) {
	const isExcused = mayBeMissing && !canReachRegistry(host);
	if (!isExcused) addFailure(name, "the host could not be installed");
	return { verdict: "NOT TESTED, because it could not be installed", isFine: isExcused };
}

async function test({ host, tests, mode }, name, workers) {
	const { cli, node } = copyOf(host);
	const env = { ...process.env, PI_SUITE_HOST_CLI: cli, PI_SUITE_HOST_NODE: node };
	if (mode) env.PI_SUITE_TUI_MODE = mode;
	const options = ["--reporter=default", "--reporter=json", `--outputFile.json=${resultFile(name)}`];
	if (workers) options.push(`--maxWorkers=${workers}`);
	else console.log(`\npi ${name}`);
	const child = spawn("npx", ["vitest", "run", ...options, ...tests], {
		env,
		stdio: workers ? ["ignore", "pipe", "pipe"] : ["ignore", "inherit", "inherit"],
		shell: process.platform === "win32",
	});
	let output = "";
	for (const stream of [child.stdout, child.stderr])
		stream?.setEncoding("utf8").on("data", (text) => {
			output += text;
		});
	const [status] = await once(child, "close");
	if (workers) console.log(`\npi ${name}\n${output}`);
	return { verdict: status === 0 ? "passed" : "FAILED", isFine: status === 0 };
}

function copyOf({ version }) {
	const folder = join(COPIES, version);
	const modules = join(folder, "node_modules");
	return {
		folder,
		cli: join(modules, PACKAGE, "dist/bundle/cli.js"),
		node: join(modules, "node/bin/node"),
		stamp: join(folder, ".installed"),
	};
}

function installHost(host) {
	const { folder, cli, stamp } = copyOf(host);
	if (existsSync(stamp)) return true;
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
	const name = `${PACKAGE}@${host.version}`;
	const isInstalled = host.beside ? assemble(name, host.beside, folder) : npmInstall([name, NODE], folder);
	if (isInstalled && existsSync(cli)) writeFileSync(stamp, "");
	return existsSync(stamp);
}

/** The npm error E404 means that the registry is reachable but does not have this version of pi. */
function canReachRegistry({ version }) {
	const { isDone, stderr } = run("npm", ["view", `${PACKAGE}@${version}`, "version"], COPIES);
	return isDone || stderr.includes("E404");
}

function assemble(name, beside, folder) {
	const packed = run("npm", ["pack", name, "--silent"], folder);
	const tarball = packed.stdout.trim().split("\n").at(-1);
	if (!packed.isDone || !tarball || !run("tar", ["-xzf", tarball], folder).isDone) return false;
	const { dependencies } = JSON.parse(readFileSync(join(folder, "package/package.json"), "utf8"));
	const packages = beside.map((one) => `${one}@${dependencies[one]}`);
	if (!npmInstall([...packages, NODE], folder)) return false;
	const place = join(folder, "node_modules", PACKAGE);
	mkdirSync(dirname(place), { recursive: true });
	renameSync(join(folder, "package"), place);
	return true;
}

function npmInstall(packages, folder) {
	const options = ["--prefix", folder, "--no-audit", "--no-fund", "--loglevel=error"];
	return run("npm", ["install", ...options, ...packages], folder).isDone;
}

function run(program, args, cwd) {
	mkdirSync(cwd, { recursive: true });
	const options = { cwd, encoding: "utf8", shell: process.platform === "win32" };
	const { status, stdout = "", stderr = "" } = spawnSync(program, args, options);
	const isDone = status === 0;
	if (!isDone) console.error(`${program} ${args.join(" ")} ended with code ${status}\n${stdout}${stderr}`);
	return { isDone, stdout, stderr };
}
