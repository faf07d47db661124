import { join } from "node:path";
import { expect, test } from "vitest";
import { put, SessionText, useTemporaryFolder } from "../../session-core/store/store.test-support.ts";
import { findSession } from "./find.ts";

const agentDir = useTemporaryFolder();

test.each([
	["0195", { ok: true, summary: { name: "Fix the parser" } }],
	["019", { ok: false, reason: "unknown" }],
	["0196", { ok: false, reason: "ambiguous", count: 2 }],
	["0196aaaa-1111", { ok: true, summary: { name: "Port the theme" } }],
	["Fix the lexer", { ok: true, summary: { id: "0196bbbb-2222" } }],
	["Fix the", { ok: false, reason: "unknown" }],
])(
	"%j means a session by its id, the beginning of that from four characters on, or its name",
	async (wanted, found) => {
		const folder = join(agentDir(), "sessions", "--app--");
		const sessions = [
			["0195cccc-3333", "Fix the parser"],
			["0196aaaa-1111", "Port the theme"],
			["0196bbbb-2222", "Fix the lexer"],
		] as const;
		for (const [id, name] of sessions)
			put(join(folder, `${id}.jsonl`), new SessionText({ id }).user("go").name(name).toString());
		expect(await findSession(wanted, { agentDir: agentDir(), folders: [[folder]] })).toMatchObject(found);
	},
);
