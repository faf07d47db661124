// Runs the real-host tests of the extensions against newer hosts, each installed into a temporary folder of its own.
// Not part of `npm test`: it needs the network, and the newest host needs a newer Node, which comes from npm as well.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const HOSTS = [
	{ version: "0.74.2", node: undefined },
	{ version: "0.87.1", node: "24" },
];
const wanted = process.argv[2];
const hosts = HOSTS.filter(({ version }) => wanted === undefined || version === wanted);
if (hosts.length === 0) {
	console.error(`unknown host "${wanted}"; known are ${HOSTS.map(({ version }) => version).join(", ")}`);
	process.exit(2);
}

let failed = false;
for (const { version, node } of hosts) {
	const folder = mkdtempSync(join(tmpdir(), "pi-hosts-"));
	try {
		writeFileSync(join(folder, "package.json"), '{ "private": true }');
		const packages = [`@earendil-works/pi-coding-agent@${version}`, ...(node ? [`node@${node}`] : [])];
		run("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error", ...packages], folder);
		console.log(`\nHost ${version}${node ? ` on Node ${node}` : ""}`);
		const modules = join(folder, "node_modules");
		const cli = join(modules, "@earendil-works/pi-coding-agent/dist/cli.js");
		const env = {
			PI_SUITE_HOST_CLI: cli,
			...(node ? { PI_SUITE_HOST_NODE: join(modules, "node/bin/node") } : {}),
		};
		const fuzz = "session-core/store/host-loader.fuzz";
		run("npx", ["vitest", "run", fuzz, "test/recap/", "test/title/", "test/resume/"], undefined, env);
	} catch (error) {
		failed = true;
		console.error(error instanceof Error ? error.message : error);
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}
process.exit(failed ? 1 : 0);

function run(command, args, cwd, env = {}) {
	const { status } = spawnSync(command, args, {
		cwd: cwd ?? process.cwd(),
		env: { ...process.env, ...env },
		stdio: "inherit",
		shell: process.platform === "win32",
	});
	if (status !== 0) throw new Error(`${command} ${args.slice(0, 2).join(" ")} ended with code ${status}`);
}
