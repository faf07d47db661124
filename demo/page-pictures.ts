// Creates the screenshots of the web page in docs/images. Command: `npm run picture:page`.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { browserPath } from "../scripts/browser.mjs";
import { PROJECT_ROOT } from "../test/host/launch.ts";

const SIZES = [
	{ name: "watch", width: 200, height: 240 },
	{ name: "phone", width: 390, height: 720 },
	{ name: "phone-card", width: 390, height: 720, opens: true },
	{ name: "desktop", width: 1440, height: 760, opens: true },
] as const;

const HOME = "/home/ada";

const path = browserPath();
if (path === undefined) {
	console.error(
		"No browser was found. Install Debian's chromium package, or set CHROMIUM to the path of a browser.",
	);
	process.exitCode = 1;
} else await draw(path);

async function draw(executable: string): Promise<void> {
	// The server's modules read `HOME` when they are loaded, so `HOME` must be set first.
	process.env["HOME"] = HOME;
	const { placeSampleBoard } = await import("../test/serve/sample-board.ts");
	const { AgentFolder, serveFolder, startBrowser } = await import("../test/serve/agent-folder.ts");
	const out = process.argv[2] ?? join(PROJECT_ROOT, "docs/images");
	const folder = new AgentFolder();
	const browser = await startBrowser(executable);
	placeSampleBoard(folder);
	const { server, tokens } = await serveFolder(folder.path, { env: { TMUX: "sample" } });
	try {
		for (const colorScheme of ["light", "dark"] as const) {
			for (const size of SIZES) {
				const { width, height, name } = size;
				const page = await browser.newPage({ viewport: { width, height }, colorScheme });
				await page.goto(`http://127.0.0.1:${server.port}/#token=${tokens.act}`);
				await page.getByText("· connected").waitFor();
				if ("opens" in size) {
					await page.getByRole("navigation").getByRole("link").first().click();
					await page.getByRole("heading", { name: "Next" }).waitFor();
				}
				// The browser can create WebP files, which are smaller than PNG files, only through the DevTools protocol.
				const protocol = await page.context().newCDPSession(page);
				const { data } = await protocol.send("Page.captureScreenshot", { format: "webp", quality: 60 });
				writeFileSync(join(out, `page-${name}-${colorScheme}.webp`), Buffer.from(data, "base64"));
				await page.close();
			}
		}
	} finally {
		await browser.close();
		await server.close();
		folder.remove();
	}
}
