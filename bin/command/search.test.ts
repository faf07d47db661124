import { readFileSync } from "node:fs";
import stringWidth from "string-width";
import { beforeEach, describe, expect, test } from "vitest";
import { SessionText, useTemporaryFolder } from "../../session-core/log/session.test-support.ts";
import { Shell } from "../shell.test-support.ts";

const folder = useTemporaryFolder();
const KEY = `sk-proj-${"a1B2c3D4".repeat(6)}`;
const shell = new Shell(folder);
let path = "";
beforeEach(() => {
	const text = new SessionText({ id: "11111111-aaaa", cwd: shell.cwd })
		.user("Which queue?")
		.assistant(`We chose the SQLite queue. \u001b[31m${KEY}`)
		.user("Thanks, the queue works");
	path = shell.session("one", text);
	const other = new SessionText({ id: "22222222-bbbb", cwd: "/other" }).user("another queue");
	shell.session("two", other, "/other");
});

describe("search", () => {
	test("prints the hits of this project as JSON, best first, with their line numbers", async () => {
		const { code, out } = await shell.run(["search", "sqlite", "queue", "--json"]);
		expect(code).toBe(0);
		const { hits } = JSON.parse(out);
		expect(hits[0]).toMatchObject({
			path,
			line: 3,
			by: "assistant",
			entry_id: "e0000001",
			session: { id: "11111111-aaaa", state: "closed" },
		});
		expect(readFileSync(path, "utf8").split("\n")[hits[0].line - 1]).toContain("SQLite");
		expect(out).not.toContain("another queue");
		expect(out).not.toContain(KEY);
		expect(JSON.parse((await shell.run(["search", "queue", "--all", "--json"])).out).hits).toHaveLength(3);
		expect(
			JSON.parse((await shell.run(["search", "queue", "--limit", "1", "--json"])).out).hits,
		).toHaveLength(1);
	});

	test("prints a hit in a form that `read` accepts", async () => {
		const { out, err } = await shell.run(["search", "sqlite"]);
		const [id = "", place = "", , by] = out.split("\t");
		expect([id, by]).toEqual(["11111111-aaaa", "assistant"]);
		expect(err).toContain("pi-sessions read");
		const read = await shell.run(["read", id, place, "--around", "1"]);
		expect(read.out).toMatch(/user: Which queue\?[\s\S]*agent: We chose the SQLite queue/);
		expect(read.out).not.toContain(KEY);
		expect(read.out).not.toContain("\u001b");
		const { entries } = JSON.parse((await shell.run(["read", id, "--at", place, "--json"])).out);
		expect(entries).toMatchObject([{ entry_id: "e0000000" }, { place }, { entry_id: "e0000002" }]);
	});

	test("finds what was said, but not the suite's own entries about it; a match in a session's name comes last", async () => {
		const recap = { headline: "Double charge traced", bullets: ["double charge"], next_actions: [] };
		const traced = new SessionText({ id: "33333333-cccc", cwd: shell.cwd })
			.user("Customers pay two times, find out why")
			.assistant("I traced the double charge to src/retry.ts")
			.name("Double charge")
			.entry("label", { targetId: "e0000001", label: "double charge" })
			.entry("custom", { customType: "session-suite:title", data: { title: "Double charge" } })
			.entry("custom", { customType: "session-suite:recap", data: recap });
		shell.session("traced", traced);
		const undone = new SessionText({ id: "44444444-dddd", cwd: "/other" })
			.user("Format the invoices")
			.name("Double charge")
			.name("Invoices");
		shell.session("undone", undone, "/other");
		const named = new SessionText({ id: "55555555-eeee", cwd: "/other" })
			.user("Refund the customers")
			.name("After the double charge");
		shell.session("named", named, "/other");
		const { out } = await shell.run(["search", "double charge", "--all", "--json"]);
		const hits = (JSON.parse(out).hits as { by: string; excerpt: string }[]).map(({ by, excerpt }) => [
			by,
			excerpt,
		]);
		expect(hits).toEqual([
			["assistant", "I traced the double charge to src/retry.ts"],
			["user", "Refund the customers"],
		]);
		expect((await shell.run(["search", "invoices", "--all"])).out).toMatch(
			/\tuser\tInvoices\tFormat the invoices\n$/,
		);
	});

	test("finds a session by its id, in a form that `read` accepts", async () => {
		const { out } = await shell.run(["search", "11111111-aaaa"]);
		expect(out).toMatch(
			/^11111111-aaaa\t@\S+\t\S+\tuser\tThanks, the queue works\tThanks, the queue works\n$/,
		);
		const { hits } = JSON.parse((await shell.run(["search", "2222", "--all", "--json"])).out);
		expect(hits).toMatchObject([{ entry_id: "e0000000", session: { id: "22222222-bbbb" } }]);
	});

	test("prints each hit once in a terminal", async () => {
		const { out } = await shell.run(["search", "sqlite"], { columns: 60 });
		expect(out.match(/SQLite/g)).toHaveLength(1);
		expect(out).not.toContain(KEY);
	});

	test("suggests --all if nothing matches", async () => {
		const { code, out, err } = await shell.run(["search", "zeppelin"]);
		expect({ code, out }).toEqual({ code: 0, out: "" });
		expect(err).toMatch(/No matches in 1 session in this project\. Use --all/);
	});
});

test("read prints the recap and the timeline of a session", async () => {
	expect((await shell.run(["read", "1111"])).out).toContain("We chose the SQLite queue");
	expect(JSON.parse((await shell.run(["read", "1111", "--json"])).out)).toMatchObject({
		session: { id: "11111111-aaaa" },
		text: expect.stringContaining("Which queue?"),
	});
});

describe("read in a terminal", () => {
	async function readIn(columns: number, ...words: string[]) {
		const { code, out } = await shell.run(["read", ...words], { columns, env: { NO_COLOR: "1" } });
		expect(code).toBe(0);
		return out;
	}
	const times = (text: string, part: string) => text.split(part).length - 1;

	test.each([40, 100])("is wrapped to %i columns, has no preamble, and repeats nothing", async (columns) => {
		const reply = `The retry queue is a table now. ${"It keeps its order. ".repeat(9)}\n\nShall I remove the old one?`;
		const text = new SessionText({ id: "33333333-cccc", cwd: shell.cwd })
			.user("Move the retry queue into SQLite")
			.assistant("Moved, with a table per worker.")
			.user("Use one table for all workers")
			.assistant(`${reply} ${KEY}`);
		shell.session("three", text.name("The retry queue"));
		const out = await readIn(columns, "33333333");
		for (const line of out.split("\n")) expect(stringWidth(line)).toBeLessThanOrEqual(columns);
		const flat = out.replace(/\s+/g, " ");
		for (const part of [
			"The retry queue is",
			"> Use one table",
			"Moved, with",
			"Shall I remove",
			"Waiting for",
		])
			expect([part, times(flat, part)]).toEqual([part, 1]);
		expect(out).not.toMatch(/instruction|<earlier|USER|AGENT|LAST/);
		expect(out).not.toContain(KEY);
		const piped = (await shell.run(["read", "33333333"])).out;
		expect(piped).toMatch(/^Record of earlier work[\s\S]*<earlier-sessions-[\s\S]*LAST REPLY/);
	});

	test("shows the entries around a hit, and where to continue reading", async () => {
		const out = await readIn(60, "11111111", "--at", "e0000001", "--around", "1");
		expect(out).toMatch(
			/> Which queue\?\n[\s\S]*\nWe chose the SQLite queue[\s\S]*> Thanks, the queue works/,
		);
		expect(out).not.toMatch(/instruction|<earlier/);
		expect(out).not.toContain(KEY);
	});
});
