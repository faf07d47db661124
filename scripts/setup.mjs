import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 6)) {
	console.error(`pi-session-suite needs Node 20.6 or newer; this is Node ${process.versions.node}.`);
	process.exit(1);
}
if (!isInstalled()) {
	if (!process.argv.includes("--quiet"))
		console.error("Installing the locked dependencies (only this once)…");
	const npm = process.platform === "win32" ? "npm.cmd" : "npm";
	const result = spawnSync(npm, ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
		cwd: root,
		stdio: ["ignore", 2, 2],
		shell: process.platform === "win32",
	});
	if (result.status !== 0) {
		console.error(
			"npm ci failed; see the lines above. Check the network or the registry settings and try again.",
		);
		process.exit(result.status ?? 1);
	}
}

/**
 * npm lists the installed packages in `node_modules/.package-lock.json`. Optional packages are ignored,
 * because some platforms lack them.
 */
function isInstalled() {
	const wanted = packagesIn("package-lock.json");
	const installed = packagesIn("node_modules/.package-lock.json");
	return Object.entries(wanted).every(
		([path, { version, optional, devOptional, peer }]) =>
			path === "" || optional || devOptional || peer || installed[path]?.version === version,
	);
}

function packagesIn(file) {
	try {
		return JSON.parse(readFileSync(`${root}${file}`, "utf8")).packages;
	} catch {
		// The lock file does not exist if nothing has been installed yet.
		return {};
	}
}
