// Makes a fresh clone ready: installs the locked dependencies once, and again when the lock file changes.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const stampFile = `${root}node_modules/.setup-stamp`;
const stamp = createHash("sha256")
	.update(readFileSync(`${root}package-lock.json`))
	.digest("hex");
const installed = existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp;

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 6)) {
	console.error(`pi-session-suite needs Node 20.6 or newer; this is ${process.versions.node}.`);
	process.exit(1);
}
if (!installed) {
	if (!process.argv.includes("--quiet")) console.error("Installing the locked dependencies (once) …");
	const npm = process.platform === "win32" ? "npm.cmd" : "npm";
	const result = spawnSync(npm, ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
		cwd: root,
		stdio: ["ignore", 2, 2],
		shell: process.platform === "win32",
	});
	if (result.status !== 0) {
		console.error(
			"npm ci failed; see the lines above. Check the network or registry settings and run it again.",
		);
		process.exit(result.status ?? 1);
	}
	writeFileSync(stampFile, stamp);
}
