import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { Tokens } from "../../bin/serve/guard.ts";
import { browserPath } from "../../scripts/browser.mjs";
import { recapOf } from "../../session-core/recap/record.test-support.ts";
import { type LiveAnswer, openInbox } from "../../session-core/sessions/live/answers.ts";
import { liveLeases } from "../../session-core/sessions/live/lease-files.ts";
import type { ResumePlan } from "../../session-core/sessions/resume-plan.ts";
import { DEADLINE_MS, session } from "../host/index.ts";
import { type AgentFolder, serveFolder, startBrowser } from "./agent-folder.ts";
import { placeSampleBoard } from "./sample-board.ts";
import { sharedServing, testFolder, testServing } from "./serving.ts";

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const path = browserPath();
if (path === undefined)
	console.warn(
		"skipped: no browser was found. Install Debian's chromium package, or set CHROMIUM to the path of a browser.",
	);

let browser: Browser;
beforeAll(async () => {
	if (path !== undefined) browser = await startBrowser(path);
});
afterAll(async () => browser?.close());

interface Opened {
	page: Page;
	context: BrowserContext;
	/** Errors in the console, including reports of what the page's security policy blocked. */
	complaints: string[];
	hosts: Set<string>;
}

type View = BrowserContextOptions & { width?: number; height?: number };

async function open(url: string, { width = 1440, height = 900, ...more }: View = {}): Promise<Opened> {
	const context = await browser.newContext({ viewport: { width, height }, locale: "en-US", ...more });
	context.setDefaultTimeout(DEADLINE_MS);
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

interface Site {
	url: string;
	tokens: Tokens;
}

async function visit({ url, tokens }: Site, access: keyof Tokens, more?: View): Promise<Opened> {
	const opened = await open(`${url}/#token=${tokens[access]}`, more);
	await connected(opened.page);
	return opened;
}

const rows = (page: Page, name?: RegExp) =>
	page.getByRole("navigation").getByRole("link", name ? { name } : {});
const connected = (page: Page) => page.getByText(/ sessions? · connected$/).waitFor();

async function violations(page: Page): Promise<string[]> {
	await page.addScriptTag({ path: AXE }).catch(async () => page.evaluate(AXE));
	return page.evaluate(
		"axe.run().then(({violations}) => violations.map(({id, nodes}) => id + ': ' + nodes[0].html))",
	);
}

describe.skipIf(path === undefined)("the page", () => {
	const jobs: ResumePlan[] = [];
	const windows: (readonly string[])[] = [];
	const record = recapOf({ kind: "job", subject_id: "eeee0001", next_actions: ["Add a test"] });
	const job = session({ id: "eeee0001", startedAt: new Date(0), cwd: tmpdir() })
		.user("Nightly report")
		.assistant("Done.")
		.custom("session-suite:recap", record);
	const site = sharedServing(
		(folder) => {
			placeSampleBoard(folder);
			folder.put("eeee0001", job.build());
		},
		{
			env: { TMUX: "x" },
			startJob: async (plan) => {
				jobs.push(plan);
				return { ok: true, log: "/logs/one.log", pid: 1 };
			},
			openWindow: async (command) => {
				windows.push(command);
				return { ok: true };
			},
		},
	);

	test.each([
		[200, "dark"],
		[1440, "light"],
	] as const)("at %i px, %s: accessible, and not too wide", async (width, colorScheme) => {
		// The page's security policy forbids the script that the test injects.
		const view = { width, height: 600, colorScheme, bypassCSP: true };
		const { page } = await visit(site(), "read", view);
		const row = rows(page, /Retry queue in SQLite.*waiting for you/);
		await row.getByText(/\dm · Shall I remove the old queue\?/).waitFor();
		// On a narrow screen, the symbol and the question replace the words, but a screen reader still
		// reads them.
		const words = await row.getByText(/^waiting for you for/).boundingBox();
		expect((words?.width ?? 0) > 1).toBe(width > 800);
		expect(await violations(page)).toEqual([]);
		expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
		await rows(page).first().click();
		await page.getByRole("heading", { name: "Retry queue in SQLite" }).waitFor();
		await page.getByText("Shall I remove the old queue?").last().waitFor();
		expect(await violations(page)).toEqual([]);
		expect(await page.evaluate("document.querySelector('.card').scrollWidth")).toBeLessThanOrEqual(width);
	});

	test("on a phone, Enter and a click open the selected row, Back, Escape and the back button leave it, and hits use the height", async () => {
		const { page } = await visit(site(), "read", { width: 390, height: 800 });
		const card = page.getByRole("heading", { name: "Retry queue in SQLite" });
		const back = page.getByRole("button", { name: "Back" });
		for (const act of [() => page.keyboard.press("Enter"), () => rows(page).first().click()]) {
			await page.keyboard.press("ArrowDown");
			await page.keyboard.press("Home");
			await card.waitFor({ state: "hidden" });
			await act();
			await card.waitFor();
			await back.click();
			await card.waitFor({ state: "hidden" });
		}
		for (const leave of [() => page.keyboard.press("Escape"), () => page.goBack()]) {
			await rows(page).first().click();
			await card.waitFor();
			await page.reload();
			await card.waitFor();
			await leave();
			await card.waitFor({ state: "hidden" });
		}
		await page.getByLabel("Filter").fill("sqlite queue");
		await page.getByRole("button", { name: /Search all messages/ }).click();
		await page.locator(".hit").first().waitFor();
		const found = await page.locator("#found").boundingBox();
		expect((found?.y ?? 0) + (found?.height ?? 0)).toBeGreaterThan(790);
	});

	test("takes the token out of the address, keeps it for the tab, and contacts no other host", async () => {
		const { page, context, complaints, hosts } = await visit(site(), "act");
		// The first waiting session is shown beside the list, although the user has not opened it.
		await page.getByRole("heading", { name: "Retry queue in SQLite" }).waitFor();
		expect(page.url()).toBe(`${site().url}/`);
		await page.reload();
		await connected(page);
		expect([...hosts]).toEqual([new URL(site().url).host]);
		expect(complaints).toEqual([]);
		const other = await context.newPage();
		await other.goto(`${site().url}/#token=${"x".repeat(43)}`);
		await other.getByRole("heading", { name: "This page needs a token" }).waitFor();
		await other.getByRole("textbox", { name: "Token" }).fill(`${site().url}/#token=${site().tokens.read}`);
		await other.getByRole("button", { name: "Show my sessions" }).click();
		await connected(other);
	});

	test("works with the keyboard alone, and a reload keeps the open card", async () => {
		const { page } = await visit(site(), "act");
		await page.keyboard.press("ArrowDown");
		await page.getByRole("heading", { name: "Retry queue in SQLite" }).waitFor();
		await page.keyboard.press("ArrowDown");
		await page.getByRole("heading", { name: "Flaky login test on CI" }).waitFor();
		await page.keyboard.press("/");
		await page.keyboard.type("docker");
		await page.keyboard.press("Enter");
		await page.getByRole("heading", { name: "Shrink the Docker image" }).waitFor();
		await page.reload();
		await page.getByRole("heading", { name: "Shrink the Docker image" }).waitFor();
		await page.getByLabel("Filter").fill("rate limits");
		await rows(page).nth(1).waitFor({ state: "detached" });
		await rows(page).first().focus();
		await page.keyboard.press("Escape");
		await rows(page).nth(5).waitFor();
		expect(await page.getByLabel("Filter").inputValue()).toBe("");
		await page.getByRole("heading", { name: "Shrink the Docker image" }).waitFor();
		await page.getByRole("button", { name: "Waiting 2" }).click();
		await rows(page).nth(2).waitFor({ state: "detached" });
		expect(await rows(page).count()).toBe(2);
	});

	test("filters by first prompts, and searches all messages below the list", async () => {
		const { page } = await visit(site(), "read");
		await page.getByLabel("Filter").fill("bookings 2019 to 2023");
		await rows(page, /Import of old bookings/).waitFor();
		for (const [filter, title] of [
			["is:failed", "Invoice PDF"],
			['"rate limits" branch:main', "Rate limits per customer"],
			["resultats is:idle", "Tri des résultats"],
			["0195a1b2-c3d4-7000-8000-000000000107", "Shrink the Docker image"],
		] as const) {
			await page.getByLabel("Filter").fill(filter);
			await rows(page).nth(1).waitFor({ state: "detached" });
			await rows(page, new RegExp(title)).waitFor();
		}
		await page.getByLabel("Filter").fill("412,000 is:closed");
		await page.getByText("No sessions match the filter.").waitFor();
		await page.getByRole("button", { name: "Search all messages for “412,000”" }).click();
		const hit = page.getByRole("link", { name: /All 412,000 rows are in\./ });
		await hit.waitFor();
		expect(await hit.locator("mark").allInnerTexts()).toEqual(["412,000"]);
		await hit.click();
		await page.getByRole("heading", { name: "Import of old bookings" }).waitFor();
		await page.getByLabel("Filter").fill("zeppelin");
		await page.keyboard.press("Enter");
		await page.getByText("No messages match your search.").waitFor();
	});

	test("a waiting session is answered below its question, and a refused answer stays in the field", async () => {
		const { folder } = site();
		const lease = liveLeases(folder.path, Date.now()).find(({ state }) => state === "waiting");
		const taken: LiveAnswer[] = [];
		let outcome: "typing" | "done" = "typing";
		const close = openInbox(folder.path, lease?.instance ?? "", async (answer) => {
			taken.push(answer);
			return outcome;
		});
		onTestFinished(close);
		const { page } = await visit(site(), "act");
		await rows(page, lease?.sessionId.endsWith("00") ? /Retry queue/ : /Flaky login/).click();
		const field = page.getByLabel("Your answer");
		await field.fill("yes,\nplease");
		await page.getByRole("button", { name: "Send" }).click();
		await page.getByText(/there is unsent text in the session's editor/).waitFor();
		expect(await field.inputValue()).toBe("yes,\nplease");
		outcome = "done";
		await field.press("Enter");
		await page.getByText("Your answer was submitted, and the agent is working on it.").waitFor();
		expect(taken.map(({ text, from, sessionId }) => [text, from, sessionId])).toEqual([
			["yes,\nplease", "page", lease?.sessionId],
			["yes,\nplease", "page", lease?.sessionId],
		]);
	});

	test("a card that cannot be loaded offers the command that checks the session first", async () => {
		const { page } = await visit(site(), "read");
		await page.route("**/v1/sessions/*", (route) => route.abort());
		await rows(page, /Import of old bookings/).click();
		await page.getByText(/^pi-sessions resume \S+$/).waitFor();
	});

	test("copies the resume command; only the token that may act opens a tmux window or starts a job", async () => {
		const { page, context } = await visit(site(), "act");
		await context.grantPermissions(["clipboard-read", "clipboard-write"]);
		await rows(page, /Import of old bookings/).click();
		await page.getByRole("button", { name: "Copy the resume command" }).click();
		await page.getByText("Copied.").waitFor();
		expect(await page.evaluate("navigator.clipboard.readText()")).toMatch(/pi --session /);
		await page.getByRole("button", { name: "Open in tmux" }).click();
		await page.getByText("The session was opened in a new tmux window.").waitFor();
		await page.getByRole("button", { name: "Jobs" }).click();
		await rows(page, /Nightly report/).click();
		const facts = page.locator("dl.job");
		await facts.waitFor();
		expect(await facts.innerText()).toMatch(/^Instruction\s+Go on: [\s\S]*\nFolder\n\S[\s\S]*\nTools\n\S/);
		await page.getByRole("button", { name: "Resume the job" }).click();
		await page.getByText("The job is running. Its output is in /logs/one.log.").waitFor();
		expect([windows.length, jobs.length]).toEqual([1, 1]);
		const { page: phone } = await visit(site(), "read");
		await rows(phone, /Import of old bookings/).click();
		const copy = phone.getByRole("button", { name: "Copy the resume command" });
		await copy.waitFor();
		expect(await phone.getByRole("button", { name: "Open in tmux" }).count()).toBe(0);
		// A live session must not be opened a second time.
		await rows(phone).first().click();
		await copy.waitFor({ state: "detached" });
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

	test("markup in titles, prompts and recaps is shown as text", async () => {
		const folder = testFolder();
		const evil = '"><img src=x onerror="window.owned=1"><script>window.owned=2</script><b>';
		const builder = session({ id: "ffff0001" })
			.user(`${evil} please`)
			.assistant(`${evil} done. Shall I ${evil}?`);
		folder.put("ffff0001", builder.name(`${evil} title`).build());
		const serving = await testServing(folder);
		await serving.ask("/v1/recap", { body: { kind: "session", subject_id: "ffff0001" } });
		const { page, complaints } = await visit(serving, "act");
		await rows(page, /<script>/).click();
		await page.getByRole("heading", { name: /<img src=x onerror=/ }).waitFor();
		await page.getByLabel("Filter").fill("script");
		await page.getByRole("button", { name: /Search all messages/ }).click();
		await page.getByRole("link", { name: /<script>.*please/ }).waitFor();
		expect(await page.evaluate("window.owned")).toBeUndefined();
		expect(await page.locator("main img, main script, main .title b").count()).toBe(0);
		expect(complaints).toEqual([]);
	});

	test("a long list keeps its scroll position and focus, and announces a waiting session", async () => {
		const folder = testFolder();
		many(folder, 700);
		const serving = await testServing(folder);
		const { page } = await visit(serving, "act");
		await page.getByText("700 sessions · connected").waitFor();
		await rows(page).nth(699).waitFor();
		await page.keyboard.press("End");
		const last = rows(page).last();
		await last.getByText("Task number 0").waitFor();
		const focused = () => page.evaluate<string>("document.activeElement.textContent");
		expect(await focused()).toContain("Task number 0");
		const before = await last.boundingBox();
		folder.claim("00000000-0000-4000-8000-000000000303", "waiting");
		await page.getByRole("button", { name: "Waiting 1" }).waitFor();
		expect((await last.boundingBox())?.y).toBe(before?.y);
		expect(await focused()).toContain("Task number 0");
		expect(await page.title()).toBe("(1) pi sessions");
		await page.getByRole("button", { name: "Waiting 1" }).click();
		await rows(page, /Task number 303 .*waiting for you/).waitFor();
	});

	test("a closed session that failed is shown as failed, and says why and what was interrupted", async () => {
		const folder = testFolder();
		const failed = session({ id: "ffff0001" })
			.user("Find the leak")
			.assistant("It is in the pool.")
			.user("Fix it, and add a test")
			.failed('529: {"error":{"message":"Overloaded, try later"}}');
		folder.put("ffff0001", failed.build());
		const serving = await testServing(folder);
		const { page } = await visit(serving, "read");
		await page.getByRole("button", { name: "Failed 1" }).click();
		// The session is reopened, runs, and becomes idle. Its last failure is hidden only during the new
		// run.
		const lease = folder.claim("ffff0001", "working");
		await page.getByRole("button", { name: "Failed 0" }).waitFor();
		lease.update("idle", Date.now());
		await page.getByRole("button", { name: "Failed 1" }).waitFor();
		lease.release();
		await rows(page, /Failed: 529 Overloaded, try later/).click();
		await page.getByText("Interrupted request: Fix it, and add a test").waitFor();
	});

	test("the page and its card report an unreachable server and reconnect to it, and a restarted server asks for its token", async () => {
		const folder = testFolder();
		placeSampleBoard(folder);
		const { server: first, tokens } = await serveFolder(folder.path, { env: { TMUX: "x" } });
		const { page } = await open(`http://127.0.0.1:${first.port}/#token=${tokens.act}`);
		await connected(page);
		await rows(page, /Retry queue/).click();
		await page.getByRole("button", { name: "Go to the session's terminal" }).waitFor();
		await first.close();
		await page.getByText(/^Not connected since .*\. This page shows the last known state\.$/).waitFor();
		await page.getByRole("button", { name: "Go to the session's terminal" }).click();
		await page.getByRole("status").getByText("The server cannot be reached.").waitFor();
		await page.getByLabel("Filter").fill("docker");
		await rows(page).nth(1).waitFor({ state: "detached" });
		await page.getByRole("heading", { name: "Retry queue in SQLite" }).waitFor();
		await page.keyboard.press("Enter");
		await page.getByRole("heading", { name: "Shrink the Docker image" }).waitFor();
		await page
			.getByRole("article")
			.getByText("The server cannot be reached. Run pi-sessions serve again.")
			.waitFor();
		expect(await page.getByText("There is no prompt").count()).toBe(0);
		expect(await page.getByRole("button", { name: "Open in tmux" }).count()).toBe(0);
		const { server: same } = await serveFolder(folder.path, { port: first.port, tokens });
		await connected(page);
		await page.getByText("It has 180 MB now.").waitFor();
		await same.close();
		const { server: restarted } = await serveFolder(folder.path, { port: first.port });
		onTestFinished(() => restarted.close());
		await page.getByText(/This token is no longer valid/).waitFor();
	});
});
