// When run directly, this script installs Debian's Chromium package if no browser is found.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const PLACES = [
	process.env.CHROMIUM,
	"/usr/bin/chromium",
	"/usr/bin/chromium-browser",
	"/usr/bin/google-chrome",
	"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

export function browserPath() {
	return PLACES.find((path) => path && existsSync(path));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	if (!browserPath() && process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
		console.error("Installing Debian's chromium package for the tests of the web page (only this once)…");
		const run = (...args) => spawnSync("apt-get", ["-qq", ...args], { stdio: ["ignore", 2, 2] }).status === 0;
		const install = () => run("install", "-y", "--no-install-recommends", "chromium");
		if (!install() && run("update")) install();
	}
	if (!browserPath())
		console.error(
			"skipped: no browser was found. Install Debian's chromium package, or set CHROMIUM to the path of a browser.",
		);
}
