import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Shell } from "../bin/shell.test-support.ts";
import { offlineRecap } from "../session-core/recap/heuristic.ts";
import { recapText } from "../session-core/recap/text.ts";
import { readAround } from "../session-core/search/read.ts";
import { searchSessions } from "../session-core/search/search.ts";
import { walkBranch } from "../session-core/session-file/branch.ts";
import {
	all,
	put,
	SessionText,
	START,
	useTemporaryFolder,
} from "../session-core/session-file/session.test-support.ts";
import { openSessionFile } from "../session-core/session-file/session-file.ts";
import { timelineOf } from "../session-core/timeline/log.test-support.ts";
import { renderTimeline } from "../session-core/timeline/render.ts";
import { readTimeline } from "../session-core/timeline/timeline.ts";
import { recapPrompt } from "../session-recap/prompt.ts";
import { titleFacts } from "../session-title/reading.ts";

const folder = useTemporaryFolder();

/** Fake keys, generated in each run so that no scanner reports this file. */
const key = (bytes: number): string => randomBytes(bytes).toString("base64");
const lines = (text: string, width = 64): string => text.replace(new RegExp(`.{${width}}`, "g"), "$&\n");
const pem = (body: string): string => {
	const [begin, end] = ["BEGIN", "END"].map((word) => `-----${word} OPENSSH PRIVATE KEY-----`);
	return `${begin}\n${lines(body, 70)}\n${end}\n`;
};
const numbered = (text: string): string =>
	text
		.split("\n")
		.map((line, index) => `${String(index + 1).padStart(6)}\t${line}`)
		.join("\n");

/** The secrets, each with the characters that must not be shown. */
const FORMS: Record<string, () => { text: string; secret: string }> = {
	"a token": () => {
		const secret = `gh${"p_"}${key(27).replace(/[+/]/g, "a")}`;
		return { text: secret, secret };
	},
	"a long token after a name": () => {
		const secret = key(3_900).replace(/[+/=]/g, "b");
		return { text: `Authorization: Bearer ${secret}`, secret };
	},
	"a private key": () => {
		const secret = key(1_100);
		return { text: pem(secret), secret };
	},
	"a private key with line numbers": () => {
		const secret = key(1_100);
		return { text: numbered(pem(secret)), secret };
	},
	"a private key in base64 with line breaks": () => {
		const secret = Buffer.from(pem(key(1_100))).toString("base64");
		return { text: lines(secret, 76), secret };
	},
};

/** Positions that are just before, at and behind the cuts of long texts. */
const POSITIONS = [0, 380, 1_150, 1_190, 1_480, 2_450, 3_950, 39_900];
const idAt = (position: number): string => `${String(position).padStart(8, "0")}-c3d4-7000-8000-000000000001`;
const FILL = "the zeppelin log has words in it and none of them is a key ";
const fill = (length: number): string => FILL.repeat(Math.ceil(length / FILL.length)).slice(0, length);

type Put = (session: SessionText, text: string) => SessionText;
const said = (session: SessionText, message: Record<string, unknown>): SessionText =>
	session.entry("message", { message });
const FIELDS: Record<string, Put> = {
	request: (session, text) => session.user(text),
	reply: (session, text) => session.assistant(text),
	error: (session, text) => session.assistant("", { stopReason: "error", errorMessage: text }),
	argument: (session, text) =>
		said(session, {
			role: "assistant",
			content: [{ type: "toolCall", id: "c", name: "write", arguments: { path: "a.txt", content: text } }],
		}),
	result: (session, text) =>
		said(session, { role: "toolResult", toolCallId: "c", content: [{ type: "text", text }], isError: true }),
	shell: (session, text) =>
		said(session, { role: "bashExecution", command: "cat key", output: text, exitCode: 0, timestamp: 0 }),
	summary: (session, text) => session.entry("compaction", { summary: `## Goal\n${text}`, tokensBefore: 1 }),
	message: (session, text) =>
		session.entry("custom_message", { customType: "x", content: text, display: true }),
	name: (session, text) => session.name(text),
	"nested call": (session, text) =>
		said(session, {
			role: "toolResult",
			toolCallId: "c",
			content: [{ type: "text", text: "ran" }],
			nestedCalls: [{ name: "write", arguments: { path: "a.txt", note: { content: text } } }],
		}),
};

/** Returns the longest part of the secret that a text contains, in steps of 12 characters. */
function leakIn(text: string, secret: string): string | undefined {
	const shown = text.replace(/\s+/g, "");
	for (let at = 0; at + 12 <= secret.length; at += 6) {
		const part = secret.slice(at, at + 12);
		if (shown.includes(part)) return part;
	}
	return undefined;
}

/** Every text that leaves: hits, entries and their neighbors, the requests for a recap and a title, and the offline card. */
async function waysOut(path: string, ids: readonly string[]): Promise<string> {
	const progress = (await all(searchSessions({ query: "zeppelin log key", rows: [{ path }] }))).at(-1);
	const reads = await Promise.all(ids.map((id) => readAround(path, id, 3)));
	const opened = openSessionFile(path);
	const timeline = opened.ok ? readTimeline(walkBranch(opened.session), { cwd: "/code/app" }) : undefined;
	return [
		...(progress?.hits ?? []).map(({ excerpt }) => excerpt),
		...reads.map((read) => JSON.stringify(read)),
		...(timeline
			? [
					recapPrompt({ timeline: renderTimeline(timeline), language: "" }),
					titleFacts(timeline),
					recapText(offlineRecap(timeline).recap),
				]
			: []),
	]
		.join("\n")
		.replaceAll("\\n", "");
}

describe.each(Object.entries(FORMS))("%s at any cut", (_form, make) => {
	test.each(Object.entries(FIELDS))("of a %s is shown nowhere", async (_field, write) => {
		const shell = new Shell(folder());
		const secrets: string[] = [];
		for (const position of POSITIONS) {
			const { text, secret } = make();
			secrets.push(secret);
			const session = new SessionText({ id: idAt(position), cwd: shell.cwd });
			session.user("look at the zeppelin log of yesterday");
			write(session, `${fill(position)}\n${text}\n${fill(1_500)}`);
			session.assistant("The zeppelin log has a key.").user("and the next step?");
			const path = shell.session(`s-${position}`, session);
			const leak = leakIn(await waysOut(path, session.ids), secret);
			expect(leak, `at ${position}`).toBeUndefined();
		}
		const shows = POSITIONS.slice(1, 3).map((position) => ["show", idAt(position), "--json"]);
		for (const words of [["list", "--json"], ["today"], ["search", "zeppelin", "log"], ...shows]) {
			const { out, err } = await shell.run(words, { now: () => START + 3_600_000 });
			expect(out, `${words.join(" ")}: ${err}`).not.toBe("");
			for (const secret of secrets) expect(leakIn(out, secret), words.join(" ")).toBeUndefined();
		}
	});
});

test("one line of a key that the session shows elsewhere is not the goal of the work", async () => {
	const secret = key(1_100);
	const session = new SessionText().user("show the key of the zeppelin host");
	FIELDS["result"]?.(session, pem(secret));
	session.assistant("That is the key.");
	FIELDS["summary"]?.(session, secret.slice(70, 140));
	session.user("and now the next one?").assistant("Done.");
	const path = put(join(folder(), "s.jsonl"), String(session));
	expect(leakIn(await waysOut(path, session.ids), secret)).toBeUndefined();
});

test("a value in the middle of a large file is known elsewhere", async () => {
	// In prose, only a value with a digit is taken for a secret.
	const secret = `pw-9${key(12)}`;
	const session = new SessionText().user("look at the zeppelin log");
	for (let count = 0; count < 30; count++) session.assistant(fill(50_000));
	session.assistant(`password: ${secret}`);
	for (let count = 0; count < 30; count++) session.assistant(fill(50_000));
	session.user(`why is ${secret} in the zeppelin log key?`);
	const path = put(join(folder(), "s.jsonl"), String(session));
	const progress = (await all(searchSessions({ query: "why zeppelin key", rows: [{ path }] }))).at(-1);
	const read = await readAround(path, session.ids.at(-1) ?? "", 1);
	expect(leakIn(JSON.stringify([progress?.hits, read]), secret)).toBeUndefined();
});

test.each<[string, Put]>([
	[
		"reasoning",
		(session, text) => said(session, { role: "assistant", content: [{ type: "thinking", thinking: text }] }),
	],
	["a summary", (session, text) => session.entry("compaction", { summary: text, tokensBefore: 1 })],
	[
		"a hidden message",
		(session, text) => session.entry("custom_message", { customType: "x", content: text, display: false }),
	],
])("a value that only %s names is known everywhere", async (_where, write) => {
	for (const sign of [": ", "=", "%3D", "%253D", '": "', '\\": \\"']) {
		const secret = `pw-${key(12).replace(/[+/=]/g, "c")}`;
		const session = new SessionText().user("look at the zeppelin log");
		write(session, `DB_PASSWORD${sign}${secret}`);
		session
			.assistant("The log is there.")
			.user(`why is ${secret} in the zeppelin log key?`)
			.assistant("It is.");
		const path = put(join(folder(), `${secret}.jsonl`), String(session));
		expect(leakIn(await waysOut(path, session.ids), secret), sign).toBeUndefined();
	}
});

test.each([false, true])(
	"a value that a reply names is hidden in the first prompt, the name, the error and the record; large file: %s",
	async (isLarge) => {
		const shell = new Shell(folder());
		const secret = `Pw9${key(9).replace(/[+/=]/g, "d")}`;
		const id = "0195a1b2-c3d4-7000-8000-0000000000ab";
		const session = new SessionText({ id, cwd: shell.cwd }).user(
			`psql works with ${secret}, check the zeppelin log`,
		);
		session.assistant(`The password: ${secret} works.`);
		if (isLarge) for (let count = 0; count < 8; count++) session.user("and?").assistant(fill(50_000));
		session
			.name(`login ${secret}`)
			.user("try it once more")
			.assistant("", { stopReason: "error", errorMessage: `401: invalid ${secret}` });
		const last = session.ids.at(-1);
		session.entry("custom", {
			customType: "session-suite:recap",
			data: {
				...offlineRecap(timelineOf([{ user: "check it" }, { says: "Done." }])).recap,
				id: "r1",
				subject_id: id,
				last_message_id: last,
				headline: `Log in with ${secret}`,
				next_actions: [`Try ${secret} again`],
				generator: { type: "user_edited" },
			},
		});
		const path = shell.session("one", session);
		expect(leakIn(await waysOut(path, session.ids), secret)).toBeUndefined();
		for (const words of [
			["list"],
			["list", "--json"],
			["show", id],
			["show", id, "--json"],
			["today"],
			["read", id],
			["search", "zeppelin"],
		]) {
			const { out, err } = await shell.run(words, { now: () => START + 3_600_000 });
			expect(out, `${words.join(" ")}: ${err}`).not.toBe("");
			expect(leakIn(out, secret), words.join(" ")).toBeUndefined();
		}
	},
);

test("a command that the user has excluded from the context reaches neither a model nor a search", async () => {
	const session = new SessionText().user("look at the zeppelin log");
	said(session, {
		role: "bashExecution",
		command: "echo zeppelin privately",
		output: "zeppelin privacy",
		exitCode: 0,
		excludeFromContext: true,
		timestamp: 0,
	});
	session.assistant("The log has a key.").user("and the next step?").assistant("Done.");
	const path = put(join(folder(), "s.jsonl"), String(session));
	expect(await waysOut(path, session.ids)).not.toMatch(/privately|privacy/);
});
