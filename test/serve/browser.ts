import { accessSync, constants } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const PLACES = [
	process.env["CHROMIUM"] ?? "",
	"/usr/bin/chromium",
	"/usr/bin/chromium-browser",
	"/usr/bin/google-chrome",
	"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** The path of a browser on this machine, if there is one. */
export function browserPath(): string | undefined {
	return PLACES.find((path) => {
		try {
			accessSync(path, constants.X_OK);
			return path !== "";
		} catch {
			return false;
		}
	});
}

/** Starts a headless browser. Root needs --no-sandbox, which is fine because it opens only our own page. */
export function startBrowser(executablePath: string): Promise<Browser> {
	const isRoot = process.getuid?.() === 0;
	return chromium.launch({ executablePath, args: isRoot ? ["--no-sandbox"] : [] });
}
