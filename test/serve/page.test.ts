import { createRequire } from "node:module";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type RunningServer, startServer } from "../../bin/serve/server.ts";
import { TokenFile } from "../../bin/serve/tokens.ts";
import { session } from "../host/fixtures.ts";
import type { AgentFolder } from "./agent-folder.ts";
import { browserPath, startBrowser } from "./browser.ts";
import { placeSampleBoard } from "./sample-board.ts";
import { testFolder, testServing } from "./serving.ts";

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const path = browserPath();
if (path === undefined) console.warn("skipped: no browser (Debian's chromium, or CHROMIUM=/path/to/one)");

let browser: Browser;
beforeAll(async () => {
	if (path !== undefined) browser = await startBrowser(path);
});
afterAll(async () => browser?.close());

interface Opened {
	page: Page;
	context: BrowserContext;
	/** What the browser complained about: errors, and what the policy blocked. */
	complaints: string[];
	/** Hosts that were asked for anything. */
	hosts: Set<string>;
}

async function open(
	url: string,
	{ width = 1440, height = 900, colorScheme = "light" as "light" | "dark" } = {},
): Promise<Opened> {
	const context = await browser.newContext({ viewport: { width, height }, colorScheme });
	onTestFinished(() => context.close());
	const page = await context.newPage();
	const complaints: string[] = [];
	const hosts = new Set<string>();
	page.on("pageerror", (error) => complaints.push(error.message));
	page.on("console", (message) => {
		if (message.type() === "error" && !/ERR_CONNECTION|ERR_INCOMPLETE|net::ERR/.test(message.text()))
			complaints.push(message.text());
	});
	page.on("request", (request) => hosts.add(new URL(request.url()).host));
	await page.goto(url);
	return { page, context, complaints, hosts };
}

const live = (page: Page) => page.getByText(/, live$/).waitFor();

async function violations(page: Page): Promise<string[]> {
	await page.addScriptTag({ path: AXE }).catch(async () => page.evaluate(AXE));
	return page.evaluate(
		"axe.run().then(({violations}) => violations.map(({id, nodes}) => id + ': ' + nodes[0].html))",
	);
}

describe.skipIf(path === undefined)("the page", () => {
	test.each([
		[200, "light"],
		[200, "dark"],
		[390, "light"],
		[390, "dark"],
		[1440, "light"],
		[1440, "dark"],
	] as const)(
		"at %i px, %s: complete, accessible, and nothing beyond the edge",
		async (width, colorScheme) => {
			const folder = testFolder();
			placeSampleBoard(folder);
			const serving = await testServing(folder);
			const context = await browser.newContext({
				viewport: { width, height: 600 },
				colorScheme,
				// The test's own tool is put into the page from outside, which the page's policy forbids.
				bypassCSP: true,
			});
			onTestFinished(() => context.close());
			const page = await context.newPage();
			await page.goto(`${serving.url}/#token=${serving.tokens.read}`);
			await live(page);
			await page.getByRole("option", { name: /Retry queue in SQLite.*waiting for you/ }).waitFor();
			expect(await violations(page)).toEqual([]);
			expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
			await page.getByRole("option").first().click();
			await page.getByRole("heading", { name: "Retry queue in SQLite" }).waitFor();
			await page.getByText("Shall I remove the old queue?").last().waitFor();
			expect(await violations(page)).toEqual([]);
			expect(await page.evaluate("document.querySelector('.card').scrollWidth")).toBeLessThanOrEqual(width);
		},
	);

	test("takes the token out of the address, keeps it for the tab, and asks nobody else for anything", async () => {
		const folder = testFolder();
		placeSampleBoard(folder);
		const serving = await testServing(folder);
		const { page, context, complaints, hosts } = await open(`${serving.url}/#token=${serving.tokens.act}`);
		await live(page);
		expect(page.url()).toBe(`${serving.url}/`);
		await page.reload();
		await live(page);
		expect([...hosts]).toEqual([new URL(serving.url).host]);
		expect(complaints).toEqual([]);
		const other = await context.newPage();
		await other.goto(`${serving.url}/#token=${"x".repeat(43)}`);
		await other.getByRole("heading", { name: "This page needs a token" }).waitFor();
		await other.getByLabel("Token").fill(`${serving.url}/#token=${serving.tokens.read}`);
		await other.getByRole("button", { name: "Show my sessions" }).click();
		await live(other);
	});

	test("shows what sessions say as text: markup in titles, prompts and recaps does nothing", async () => {
		const folder = testFolder();
		const evil = '"><img src=x onerror="window.owned=1"><script>window.owned=2</script><b>';
		const builder = session({ id: "ffff0001" })
			.user(`${evil} please`)
			.assistant(`${evil} done. Shall I ${evil}?`);
		folder.put("ffff0001", builder.name(`${evil} title`).build());
		const serving = await testServing(folder);
		await serving.ask("/v1/recap", { body: { kind: "session", subject_id: "ffff0001" } });
		const { page, complaints } = await open(`${serving.url}/#token=${serving.tokens.act}`);
		await page.getByRole("option", { name: /<script>/ }).click();
		await page.getByRole("heading", { name: /<img src=x onerror=/ }).waitFor();
		expect(await page.evaluate("window.owned")).toBeUndefined();
		expect(await page.locator("#main img, #main script, #main .title b").count()).toBe(0);
		expect(complaints).toEqual([]);
	});

	test("is worked by keys alone: filter, walk, read, and back", async () => {
		const folder = testFolder();
		placeSampleBoard(folder);
		const serving = await testServing(folder);
		const { page } = await open(`${serving.url}/#token=${serving.tokens.act}`, { width: 390 });
		await live(page);
		await page.keyboard.press("/");
		await page.keyboard.type("login ci");
		await page.getByRole("option").nth(1).waitFor({ state: "detached" });
		await page.keyboard.press("ArrowDown");
		await page.keyboard.press("ArrowDown");
		await page.keyboard.press("Enter");
		await page.getByRole("heading", { name: "Flaky login test on CI" }).waitFor();
		await page.getByRole("button", { name: "Back" }).waitFor();
		await page.keyboard.press("Escape");
		await page.getByRole("button", { name: "Back" }).waitFor({ state: "hidden" });
		await page.keyboard.press("/");
		await page.keyboard.press("Escape");
		await page.getByRole("option").nth(5).waitFor();
		await page.getByRole("button", { name: "Need you 2" }).click();
		await page.getByRole("option").nth(2).waitFor({ state: "detached" });
		expect(await page.getByRole("option").count()).toBe(2);
	});

	test("a filter also finds what only the server knows: words of a first prompt", async () => {
		const folder = testFolder();
		placeSampleBoard(folder);
		const serving = await testServing(folder);
		const { page } = await open(`${serving.url}/#token=${serving.tokens.read}`);
		await live(page);
		await page.getByLabel("Filter").fill("bookings 2019 to 2023");
		await page.getByRole("option", { name: /Import of old bookings/ }).waitFor();
	});

	test("copies the resume command, and opens a tmux window only with the token that may act", async () => {
		const folder = testFolder();
		const [id = ""] = placeSampleBoard(folder).slice(-1);
		const opened: (readonly string[])[] = [];
		const serving = await testServing(folder, {
			env: { TMUX: "x" },
			openWindow: async (command) => {
				opened.push(command);
				return { ok: true };
			},
		});
		const { page, context } = await open(`${serving.url}/#token=${serving.tokens.act}`);
		await context.grantPermissions(["clipboard-read", "clipboard-write"]);
		await live(page);
		await page.getByRole("option", { name: /Import of old bookings/ }).click();
		await page.getByRole("button", { name: "Copy the resume command" }).click();
		await page.getByText("Copied.").waitFor();
		expect(await page.evaluate("navigator.clipboard.readText()")).toMatch(
			new RegExp(`^cd .*pi --session .*${id}`),
		);
		await page.getByRole("button", { name: "Open in tmux" }).click();
		await page.getByText("It runs in a new tmux window.").waitFor();
		expect(opened).toHaveLength(1);
		const { page: phone } = await open(`${serving.url}/#token=${serving.tokens.read}`);
		await live(phone);
		await phone.getByRole("option").first().click();
		await phone.getByRole("button", { name: "Copy the resume command" }).waitFor();
		expect(await phone.getByRole("button", { name: "Open in tmux" }).count()).toBe(0);
	});
});

describe.skipIf(path === undefined)("while things change", () => {
	const many = (folder: AgentFolder, count: number): void => {
		for (let index = 0; index < count; index++) {
			const id = `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`;
			const startedAt = new Date(Date.UTC(2026, 0, 1) + index * 60_000);
			folder.put(id, session({ id, startedAt }).user(`Task number ${index}`).assistant("Done.").build());
		}
	};

	test("what is being read stays where it is, and what needs the user says so", async () => {
		const folder = testFolder();
		many(folder, 150);
		const serving = await testServing(folder);
		const { page } = await open(`${serving.url}/#token=${serving.tokens.act}`);
		await live(page);
		await page.getByRole("option", { name: "Task number 149" }).hover();
		await page.mouse.wheel(0, 5_000);
		const read = page.getByRole("option", { name: /Task number 7\d/ }).first();
		await read.waitFor();
		// By its id: which one is the first may change.
		const row = page.locator(`id=${await read.getAttribute("id")}`);
		const before = await row.boundingBox();
		folder.claim("00000000-0000-4000-8000-000000000003", "needs_you");
		await page.getByRole("button", { name: "↑ Need you: 1" }).waitFor();
		await page.getByRole("button", { name: "Need you 1" }).waitFor();
		expect((await row.boundingBox())?.y).toBe(before?.y);
		expect(await page.title()).toBe("(1) pi sessions");
		await page.getByRole("button", { name: "↑ Need you: 1" }).click();
		await page.getByRole("option", { name: /Task number 3 .*waiting for you/ }).waitFor();
	});

	test("of many sessions only those that are seen are in the page", async () => {
		const folder = testFolder();
		many(folder, 700);
		const serving = await testServing(folder);
		const { page } = await open(`${serving.url}/#token=${serving.tokens.read}`);
		await page.getByText("Sessions: 700, live").waitFor();
		await page.getByRole("listbox").focus();
		await page.keyboard.press("End");
		const last = page.getByRole("option", { name: "Task number 0" });
		await last.waitFor();
		expect(await last.getAttribute("aria-posinset")).toBe("700");
		expect(await page.getByRole("option").count()).toBeLessThan(60);
	});

	test("without the server the page keeps what it knows and says so, and goes on when it is back", async () => {
		const folder = testFolder();
		placeSampleBoard(folder);
		const opened = new TokenFile(folder.path).open(false);
		if (!opened.ok) throw new Error(opened.detail);
		const first = await started(folder, 0);
		const { page } = await open(`http://127.0.0.1:${first.port}/#token=${opened.tokens.act}`);
		await live(page);
		await page.getByRole("option", { name: /Retry queue/ }).click();
		await page.getByRole("heading", { name: "Retry queue in SQLite" }).waitFor();
		await first.close();
		await page.getByText(/^Not connected since .* last known$/).waitFor();
		await page.getByLabel("Filter").fill("invoice");
		await page.getByRole("option").nth(1).waitFor({ state: "detached" });
		await page.getByRole("option", { name: /Invoice PDF/ }).waitFor();
		await page.getByRole("heading", { name: "Retry queue in SQLite" }).waitFor();
		const second = await started(folder, first.port);
		onTestFinished(() => second.close());
		await live(page);
	});
});

function started(folder: AgentFolder, port: number): Promise<RunningServer> {
	return startServer({ agentDir: folder.path, port, address: "127.0.0.1", version: "0", env: {} });
}
