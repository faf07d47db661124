import { readFileSync } from "node:fs";
import stringWidth from "string-width";
import { beforeEach, describe, expect, test } from "vitest";
import { SessionText, useTemporaryFolder } from "../../session-core/log/session.test-support.ts";
import { Shell } from "../shell.test-support.ts";

const folder = useTemporaryFolder();
const KEY = `sk-proj-${"a1B2c3D4".repeat(6)}`;
const ID = "11111111-aaaa";
const shell = new Shell(folder);
let path = "";
beforeEach(() => {
	path = store(ID, shell.cwd, (text) =>
		text
			.user("Which queue?")
			.assistant(`We chose the SQLite queue. \u001b[31m${KEY}`)
			.user("Thanks, the queue works"),
	);
	store("22222222-bbbb", "/other", (text) => text.user("another queue"));
});

function store(id: string, cwd: string, fill: (text: SessionText) => SessionText): string {
	return shell.session(id, fill(new SessionText({ id, cwd })), cwd);
}

const hitsOf = async (words: string) => (await shell.json(`search ${words} --json`)).hits;

describe("search", () => {
	test("prints the hits of this project as JSON, best first, with their line numbers", async () => {
		const hits = await hitsOf("sqlite queue");
		const session = { id: ID, state: "closed" };
		const best = { path, line: 3, by: "assistant", entry_id: "e0000001", session };
		expect(hits[0]).toMatchObject(best);
		expect(readFileSync(path, "utf8").split("\n")[hits[0].line - 1]).toContain("SQLite");
		expect(JSON.stringify(hits)).not.toMatch(new RegExp(`another queue|${KEY}`));
		expect(await hitsOf("queue --all")).toHaveLength(3);
		expect(await hitsOf("queue --limit 1")).toHaveLength(1);
	});

	test("prints a hit in a form that `read` accepts", async () => {
		const { out, err } = await shell.run("search sqlite");
		const [id = "", place = "", , by] = out.split("\t");
		expect([id, by]).toEqual([ID, "assistant"]);
		expect(err).toContain("pi-sessions read");
		const read = await shell.run(["read", id, place, "--around", "1"]);
		expect(read.out).toMatch(/user: Which queue\?[\s\S]*agent: We chose the SQLite queue/);
		expect(read.out).not.toMatch(new RegExp(`${KEY}|\u001b`));
		const { entries } = await shell.json(["read", id, "--at", place, "--json"]);
		expect(entries).toMatchObject([{ entry_id: "e0000000" }, { place }, { entry_id: "e0000002" }]);
	});

	test("lists a match in a session's current name after what was said", async () => {
		store("44444444-dddd", shell.cwd, (text) =>
			text.user("Format the invoices").name("SQLite").name("Paper"),
		);
		store("55555555-eeee", shell.cwd, (text) => text.user("Refund the customers").name("After SQLite"));
		expect(await hitsOf("sqlite")).toMatchObject([
			{ by: "assistant" },
			{ by: "user", excerpt: "Refund the customers" },
		]);
	});

	test("finds a session by its id, with its newest prompt", async () => {
		const found = { entry_id: "e0000000", session: { id: "22222222-bbbb" } };
		expect(await hitsOf("2222 --all")).toMatchObject([found]);
		expect(await hitsOf(ID)).toMatchObject([{ excerpt: "Thanks, the queue works" }]);
	});

	test("prints each hit once in a terminal, and suggests --all if nothing matches", async () => {
		const { out } = await shell.run("search sqlite", { columns: 60 });
		expect(out.match(/SQLite/g)).toHaveLength(1);
		expect(out).not.toContain(KEY);
		const err = expect.stringMatching(/No matches were found in this project \(1 session\)\. Use --all/);
		expect(await shell.run("search zeppelin")).toEqual({ code: 0, out: "", err });
	});
});

describe("read", () => {
	test("prints the recap and the timeline of a session", async () => {
		expect((await shell.run("read 1111")).out).toContain("We chose the SQLite queue");
		const text = expect.stringContaining("Which queue?");
		expect(await shell.json("read 1111 --json")).toMatchObject({ session: { id: ID }, text });
	});

	const inTerminal = async (columns: number, words: string) =>
		(await shell.run(`read ${words}`, { columns, env: { NO_COLOR: "1" } })).out;

	test.each([40, 100])("in a terminal of %i columns is wrapped and repeats nothing", async (columns) => {
		const reply = `The retry queue is a table now. ${"It keeps its order. ".repeat(9)}\n\nShall I remove the old one?`;
		store("33333333-cccc", shell.cwd, (text) =>
			text
				.user("Move the retry queue into SQLite")
				.assistant("Moved, with a table per worker.")
				.user("Use one table for all workers")
				.assistant(`${reply} ${KEY}`)
				.name("The retry queue"),
		);
		const out = await inTerminal(columns, "33333333");
		for (const line of out.split("\n")) expect(stringWidth(line)).toBeLessThanOrEqual(columns);
		const flat = out.replace(/\s+/g, " ");
		for (const part of ["The retry queue is", "> Use one table", "Moved, with", "Shall I", "Waiting for"])
			expect([part, flat.split(part).length]).toEqual([part, 2]);
		expect(out).not.toMatch(new RegExp(`instruction|<earlier|USER|AGENT|LAST|${KEY}`));
		const piped = (await shell.run("read 33333333")).out;
		expect(piped).toMatch(/^Record of earlier work[\s\S]*<earlier-sessions-[\s\S]*LAST REPLY/);
	});

	test("in a terminal shows the entries around a hit, and where to continue reading", async () => {
		const out = await inTerminal(60, `${ID} --at e0000001 --around 1`);
		expect(out).toMatch(/> Which queue\?\n[\s\S]*\nWe chose the SQLite queue[\s\S]*> Thanks, the/);
		expect(out).not.toMatch(new RegExp(`instruction|<earlier|${KEY}`));
	});
});
