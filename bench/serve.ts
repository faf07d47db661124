import { get } from "node:http";
import { browserPath } from "../scripts/browser.mjs";
import { listSessions, viewOf } from "../session-core/sessions/index.ts";
import { serveFolder, startBrowser } from "../test/serve/agent-folder.ts";
import { alternately, type BenchRow, median, repeated, timeOf } from "./lib/harness.ts";
import { onTree, projects } from "./lib/sessions.ts";

export function rows(): Promise<BenchRow[]> {
	return onTree({ sessions: 10_000, bytes: 6_000, projects: projects(20) }, async (agentDir) => {
		const { server, tokens } = await serveFolder(agentDir);
		const { port } = server;
		const list = () => answered(port, tokens.read);
		try {
			// The first request waits until the server has read all sessions, so this request is not measured.
			await list();
			const times = await repeated(40, () => timeOf(list));
			const summaries = await listSessions({ agentDir });
			const [views, copies] = await alternately(
				7,
				() => summaries.map((summary) => viewOf(summary)),
				() => JSON.parse(JSON.stringify(summaries)),
			);
			const building = "Building the views of 10,000 sessions relative to copying them as JSON";
			const listing = "Listing 10,000 sessions over HTTP, warm: median time";
			const page = "Page with 10,000 sessions in a browser: shortest time to the first paint in seven runs";
			const paint = await firstPaint(`http://127.0.0.1:${port}/#token=${tokens.read}`);
			return [
				{ what: listing, value: median(times), unit: "ms", most: 50 },
				{ what: building, value: Math.min(...views) / Math.min(...copies), unit: "×", most: 1.5 },
				{ what: page, value: paint, unit: "ms", most: 200 },
			];
		} finally {
			await server.close();
		}
	});
}

function answered(port: number, token: string): Promise<void> {
	const request = {
		host: "127.0.0.1",
		port,
		path: "/v1/sessions?limit=100",
		headers: { authorization: `Bearer ${token}` },
	};
	return new Promise((resolve, reject) => {
		get(request, (response) => {
			if (response.statusCode !== 200) reject(new Error(`status ${response.statusCode}`));
			response.resume().on("end", resolve);
		}).on("error", reject);
	});
}

async function firstPaint(url: string): Promise<number> {
	const path = browserPath();
	if (path === undefined) return Number.NaN;
	const browser = await startBrowser(path);
	try {
		const paints = await repeated(7, async () => {
			const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
			await page.goto(url);
			await page.getByRole("navigation").getByRole("link").first().waitFor();
			const painted = await page.evaluate<number>(
				"performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN",
			);
			await page.close();
			return painted;
		});
		return Math.min(...paints);
	} finally {
		await browser.close();
	}
}
