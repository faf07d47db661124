import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { put, useTemporaryFolder } from "../../session-core/log/session.test-support.ts";
import { readWholeSession } from "../../session-core/log/session-file.ts";
import { session } from "../../test/host/fixtures.ts";
import { SessionCompletion } from "./resume-from.ts";

const agentDir = useTemporaryFolder();
let completion: SessionCompletion;

const NAMES = ["Fix the parser", "Fix the lexer", "-- a flag", "Port the theme", "Port the theme"];

beforeEach(async () => {
	const folder = join(agentDir(), "sessions", "--p--");
	const place = (path: string, name: string, index: number) => {
		const id = `0195a1b2-c3d4-7000-8000-00000000000${index}`;
		const text = session({ id, startedAt: new Date(`2026-03-1${index}T09:00:00Z`) })
			.user("first of all, look around")
			.assistant("Looked.")
			.user("then change it")
			.assistant("Changed.")
			.name(name);
		return put(path, text.build());
	};
	const [first = ""] = NAMES.map((name, index) => place(join(folder, `${index}.jsonl`), name, index));
	place(join(agentDir(), "sessions", "--q--", "9.jsonl"), "Write the docs", 9);
	const open = await readWholeSession(first);
	if (!open.ok) throw new Error(open.detail);
	const id = "0195a1b2-c3d4-7000-8000-000000000000";
	completion = new SessionCompletion(agentDir(), { id, folder, cwd: "/home/me/app", source: open.session });
});

const complete = async (prefix: string) =>
	(await completion.complete(prefix))?.map(({ value }) => value) ?? null;

describe("completing /resume-from", () => {
	test("offers the project's other sessions, newest first: titles, or ids if a title is ambiguous", async () => {
		const values = await complete("");
		expect(values).toHaveLength(4);
		expect(values?.at(-1)).toBe("Fix the lexer");
		expect(values?.filter((value) => value.startsWith("0195a1b2-c3d4-7000-8000-0000"))).toHaveLength(3);
	});

	test("narrows with each letter, and offers nothing for a complete title", async () => {
		expect(await complete("fix")).toEqual(["Fix the lexer"]);
		expect(await complete("Fix the lexer")).toBeNull();
		expect(await complete("nothing like it")).toBeNull();
	});

	test("offers the user's prompts after --at, of this session and of another", async () => {
		const here = await completion.complete("--at");
		expect(here?.map(({ description }) => description)).toEqual([
			"then change it",
			"first of all, look around",
		]);
		const there = await complete("Fix the lexer --at ");
		expect(there?.[0]).toMatch(/^Fix the lexer --at [0-9a-f]{8}$/);
		expect(await complete(there?.[0] ?? "")).toBeNull();
	});
});
