import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Offers } from "../../session-core/catalog/offers.ts";
import type { SessionSummary } from "../../session-core/catalog/summary.ts";
import { openSessionFile } from "../../session-core/session-file/session-file.ts";
import { ENGLISH } from "../../session-core/words/en.ts";
import { session } from "../../test/host/fixtures.ts";
import { type Complete, type Completing, createCompletion, KnownSessions } from "./complete.ts";

let agentDir: string;
let completing: Completing;
let completion: Complete;

const NAMES = ["Fix the parser", "Fix the lexer", "-- a flag", "Port the theme", "Port the theme"];

beforeAll(() => {
	agentDir = mkdtempSync(join(tmpdir(), "complete-"));
	const folder = join(agentDir, "sessions", "--p--");
	const elsewhere = join(agentDir, "sessions", "--q--");
	mkdirSync(folder, { recursive: true });
	mkdirSync(elsewhere);
	const place = (path: string, name: string, index: number) => {
		const id = `0195a1b2-c3d4-7000-8000-00000000000${index}`;
		const text = session({ id, startedAt: new Date(`2026-03-1${index}T09:00:00Z`) })
			.user("first of all, look around")
			.assistant("Looked.")
			.user("then change it")
			.assistant("Changed.")
			.name(name);
		writeFileSync(path, text.build());
		utimesSync(path, 1_770_000_000 + index, 1_770_000_000 + index);
	};
	NAMES.forEach((name, index) => {
		place(join(folder, `${index}.jsonl`), name, index);
	});
	place(join(elsewhere, "9.jsonl"), "Write the docs", 9);
	const open = openSessionFile(join(folder, "0.jsonl"));
	if (!open.ok) throw new Error(open.detail);
	completing = {
		agentDir,
		folder,
		open: { id: "0195a1b2-c3d4-7000-8000-000000000000", source: open.session },
		now: () => Date.parse("2026-03-20T09:00:00Z"),
		words: () => ENGLISH,
	};
	completion = createCompletion(completing);
});
afterAll(() => rmSync(agentDir, { recursive: true, force: true }));

const complete = async (prefix: string) =>
	(await completion("resume-from", prefix))?.map(({ value }) => value) ?? null;

describe("completing /resume-from", () => {
	test("offers the project's other sessions, newest first: titles, or ids where a title is not enough", async () => {
		const values = await complete("");
		expect(values).toHaveLength(4);
		expect(values?.at(-1)).toBe("Fix the lexer");
		expect(values?.filter((value) => value.startsWith("0195a1b2-c3d4-7000-8000-0000"))).toHaveLength(3);
	});

	test("narrows by what is typed, and offers nothing more for a title that is complete", async () => {
		expect(await complete("fix")).toEqual(["Fix the lexer"]);
		expect(await complete("Fix the lexer")).toBeNull();
		expect(await complete("nothing like it")).toBeNull();
	});

	test("offers the user's prompts behind --at, of this session and of another", async () => {
		const here = await completion("resume-from", "--at ");
		expect(here?.map(({ description }) => description)).toEqual([
			"then change it",
			"first of all, look around",
		]);
		const there = await complete("Fix the lexer --at ");
		expect(there?.[0]).toMatch(/^Fix the lexer --at [0-9a-f]{8}$/);
		expect(await complete(there?.[0] ?? "")).toBeNull();
	});

	test("offers the flags", async () => {
		expect(await complete("--h")).toEqual(["--help"]);
	});
});

describe("a list under the editor", () => {
	const WORDY = "Fix the parser of dates and then everything that depends on it in any way";

	test("has twenty rows at most, of sessions and of prompts alike", async () => {
		const folder = join(agentDir, "sessions", "--many--");
		mkdirSync(folder);
		const wordy = session().user("look around");
		for (let index = 10; index < 35; index++) {
			const id = `0195a1b2-c3d4-7000-8000-0000000000${index}`;
			const text = session({ id }).user("look around").assistant("Looked.").name(`${WORDY} ${index}`);
			writeFileSync(join(folder, `${index}.jsonl`), text.build());
			wordy.user(`prompt ${index}`);
		}
		const path = join(agentDir, "wordy.jsonl");
		writeFileSync(path, wordy.build());
		const open = openSessionFile(path);
		if (!open.ok) throw new Error(open.detail);
		const many = createCompletion({ ...completing, folder, open: { id: "open", source: open.session } });

		const sessions = await many("resume-from", "");
		expect(sessions).toHaveLength(20);
		expect(await many("resume-from", "--at ")).toHaveLength(20);
		// A title that the list cuts off is not one to type: the id is.
		expect(sessions?.[0]?.label).toBe("Fix the parser of dates and then everything that depends on…");
		expect(sessions?.[0]?.value).toMatch(/^0195a1b2-c3d4-7000-8000-/);
	});
});

describe("completing an id", () => {
	test("makes it as short as it can be and no shorter than tells it from the others", () => {
		const short = (id: string, ...ids: string[]) =>
			new Offers([id, ...ids].map((one) => ({ id: one }) as SessionSummary)).shortId(id); // only the id is read
		expect(short("aaaa1111-2222", "bbbb")).toBe("aaaa1111");
		expect(short("aaaa1111-2222", "aaaa1111-3333")).toBe("aaaa1111-2");
		expect(short("aaaa1111-2222", "aaaa1111-2223", "aaaa1111-2221")).toBe("aaaa1111-2222");
		expect(short("short")).toBe("short");
	});
});

const SECOND = 1_000;

function known() {
	const state = { now: 100 * SECOND, lists: 0, fails: false };
	const sessions = new KnownSessions({
		now: () => state.now,
		list: async () => {
			state.lists++;
			if (state.fails) throw new Error("no folder");
			return [{ id: `list ${state.lists}` } as SessionSummary]; // only the id is read
		},
	});
	const ids = async () => (await sessions.offers()).matching("").map(({ row }) => row.id);
	return { state, ids, sessions };
}

test("a keystroke lists nothing; one listing serves all that wait for it", async () => {
	const { state, ids } = known();
	expect(await Promise.all([ids(), ids()])).toEqual([["list 1"], ["list 1"]]);
	state.now += 5 * SECOND;
	expect(await ids()).toEqual(["list 1"]);
	expect(state.lists).toBe(1);
});

test("an older list answers once more while a new one is made; a very old one does not", async () => {
	const { state, ids } = known();
	await ids();
	state.now += 20 * SECOND;
	expect(await ids()).toEqual(["list 1"]);
	expect(state.lists).toBe(2);
	expect(await ids()).toEqual(["list 2"]);
	state.now += 100 * SECOND;
	expect(await ids()).toEqual(["list 3"]);
	state.now -= 50 * SECOND;
	expect(await ids()).toEqual(["list 4"]);
});

test("a listing that fails is tried again", async () => {
	const { state, ids, sessions } = known();
	state.fails = true;
	await expect(sessions.offers()).rejects.toThrow("no folder");
	state.fails = false;
	expect(await ids()).toEqual(["list 2"]);
});
