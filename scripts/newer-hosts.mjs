// The host versions that are newer than the locked one, and their copies for `npm run test:hosts`.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const COPIES = fileURLToPath(new URL("../node_modules/.cache/newer-hosts", import.meta.url));
const PACKAGE = "@earendil-works/pi-coding-agent";
/** Both hosts require a newer version of Node.js than the suite does. The npm package `node` provides it. */
const NODE = "node@24";

export const BETWEEN = { version: "0.87.1" };
/**
 * The newest host. Some packages in its manifest are not published, but its program is a bundle that needs only the packages in `beside`.
 */
export const NEWEST = {
	version: "1.6.0",
	beside: ["jiti", "typebox", "@silvia-odwyer/photon-node", "quickjs-wasi"],
};

/** Returns the paths of a host's copy: its program, the Node.js for it, and a stamp file that marks a complete copy. */
export function copyOf({ version }) {
	const folder = join(COPIES, version);
	const modules = join(folder, "node_modules");
	return {
		folder,
		cli: join(modules, PACKAGE, "dist/bundle/cli.js"),
		node: join(modules, "node/bin/node"),
		stamp: join(folder, ".installed"),
	};
}

/** Installs a copy of the host if there is none. Returns whether a copy is installed afterwards. */
export function installHost(host) {
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

/** Whether the registry responds, even if it does not offer this host. */
export function canReachRegistry({ version }) {
	const { isDone, stderr } = run("npm", ["view", `${PACKAGE}@${version}`, "version"], COPIES);
	return isDone || stderr.includes("E404");
}

/** Unpacks the published package and installs the packages that its program loads. */
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

/** Runs a program, and shows the program's output if it fails. */
function run(program, args, cwd) {
	mkdirSync(cwd, { recursive: true });
	const options = { cwd, encoding: "utf8", shell: process.platform === "win32" };
	const { status, stdout = "", stderr = "" } = spawnSync(program, args, options);
	const isDone = status === 0;
	if (!isDone) console.error(`${program} ${args.join(" ")} ended with code ${status}\n${stdout}${stderr}`);
	return { isDone, stdout, stderr };
}
