// Finds a browser for the tests of the page. If there is none, tries to install Debian's package. Never fails.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const PLACES = [
	process.env.CHROMIUM,
	"/usr/bin/chromium",
	"/usr/bin/chromium-browser",
	"/usr/bin/google-chrome",
];
const isThere = () => PLACES.some((path) => path && existsSync(path));

if (!isThere() && process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
	console.error("Installing Debian's chromium for the page's tests (once) …");
	const run = (...args) => spawnSync("apt-get", ["-qq", ...args], { stdio: ["ignore", 2, 2] }).status === 0;
	if (!run("install", "-y", "--no-install-recommends", "chromium") && run("update"))
		run("install", "-y", "--no-install-recommends", "chromium");
}
if (!isThere() && !existsSync("/Applications/Google Chrome.app"))
	console.error("skipped: no browser. The page's tests need Debian's chromium, or CHROMIUM=/path/to/one.");
