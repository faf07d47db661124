import { browserPath, startBrowser } from "../../test/serve/browser.ts";

export interface Painted {
	/** From the navigation to the first text and to the first session, in milliseconds. */
	first: number;
	rows: number;
}

/** What a browser takes to show the page, a few times; none where there is no browser. */
export async function paints(url: string, times: number): Promise<Painted[]> {
	const path = browserPath();
	if (path === undefined) return [];
	const browser = await startBrowser(path);
	const painted: Painted[] = [];
	try {
		for (let time = 0; time < times; time++) {
			const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
			await page.goto(url);
			await page.getByRole("option").first().waitFor();
			const rows = await page.evaluate<number>("performance.now()");
			const first = await page.evaluate<number>(
				"performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN",
			);
			painted.push({ first, rows });
			await page.close();
		}
	} finally {
		await browser.close();
	}
	return painted;
}
