import { accessSync, constants } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const PLACES = [
	process.env["CHROMIUM"] ?? "",
	"/usr/bin/chromium",
	"/usr/bin/chromium-browser",
	"/usr/bin/google-chrome",
	"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** The browser of this machine; undefined where there is none. */
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

/** Starts it without a window. As root it runs without its own sandbox: it opens nothing but pages of ours. */
export function startBrowser(executablePath: string): Promise<Browser> {
	const isRoot = process.getuid?.() === 0;
	return chromium.launch({ executablePath, args: isRoot ? ["--no-sandbox"] : [] });
}
