import { execFileSync, spawnSync } from "node:child_process";
import { appendFileSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import stringWidth from "string-width";
import { beforeEach, describe, expect, test } from "vitest";
import { put, SessionText, useTemporaryFolder } from "../../session-core/log/session.test-support.ts";
import { Shell } from "../shell.test-support.ts";

const folder = useTemporaryFolder();
const ID = "11111111-aaaa";
const OTHER = "4444dddd";
const shell = new Shell(folder);
let path = "";
beforeEach(() => {
	path = shell.named(ID, "Fix the date parser");
});

const other = (prompt: string) => new SessionText({ id: OTHER, cwd: shell.cwd }).user(prompt);

describe("show", () => {
	test("prints a recap and writes nothing", async () => {
		const before = readFileSync(path, "utf8");
		const { code, out } = await shell.run(`show ${ID.slice(0, 8)}`);
		expect(code).toBe(0);
		expect(out).toMatch(/^Fix the date parser\n.* · acme\/m-1 · 11111111-aaaa\n\n/);
		expect(out).toContain("Please fix the date parser");
		expect(readFileSync(path, "utf8")).toBe(before);
	});

	test("finds a session by the title that list shows, which is its topic and not its first prompt", async () => {
		const topic = "Move the whole retry queue of the worker into SQLite please";
		shell.session("four", other("hello").assistant("Hi.").user(topic).assistant("It is in SQLite now."));
		for (const words of [["list"], ["search", "SQLite"], ["show", topic]])
			expect((await shell.run(words)).out).toContain(words[0] === "show" ? OTHER : topic);
	});

	test("shows the provider's reason without its JSON, in the color of a failed session, and no duration for a state that just began", async () => {
		const errorMessage = '529: {"error":{"message":"Overloaded, try later","type":"overloaded"}}';
		const failed = other("Deploy it").assistant("", { content: [], stopReason: "error", errorMessage });
		shell.open(OTHER, "failed", shell.session("four", failed));
		const { out } = await shell.run(`show ${OTHER}`, { columns: 80, env: { TERM: "xterm" } });
		expect(out).toContain("\x1b[31mFailed: 529 Overloaded, try later\x1b");
		expect(out).toContain("failed · ");
	});

	test("prints labels in the session's language or the language in the settings; JSON is in English", async () => {
		const german = other("Bitte suche heraus, warum der Test im Kalender nicht mehr durchläuft");
		shell.session("four", german.assistant("Die Zeitzone fehlt. Soll ich sie im Test fest einstellen?"));
		expect((await shell.run(`show ${OTHER}`)).out).toMatch(/\nWartet auf deine Antwort\n[\s\S]*Offen: Soll/);
		put(join(shell.agentDir, "session-suite.json"), '{ "language": "fr" }');
		expect((await shell.run(`show ${OTHER}`)).out).toContain("En suspens : Soll ich");
		expect((await shell.json(`show ${OTHER} --json`)).session.ending).toBe("Waiting for your answer");
	});

	test("uses the session that pi names in the environment, unless another one is given", async () => {
		shell.named("2222bbbb", "Write the changelog");
		const env = { LANG: "C", PI_SESSION_ID: ID, PI_SESSION_FILE: path };
		expect((await shell.run("show", { env })).out).toMatch(/^Fix the date parser\n/);
		expect((await shell.run("show 2222bbbb", { env })).out).toMatch(/^Write the changelog\n/);
		expect((await shell.run("recap", { env: { LANG: "C", PI_SESSION_ID: ID } })).code).toBe(0);
		expect((await shell.run("resume --dry-run", { env })).out).toContain(path);
		expect((await shell.run("resume --dry-run --continue", { env })).code).toBe(0);
	});

	test("does not report oh-my-pi's title at the beginning of a file as damage, and does not open the file in pi", async () => {
		const slot = JSON.stringify({ type: "title", v: 1, title: "Dates", source: "auto" });
		shell.session(ID, `${slot}\n${readFileSync(path, "utf8")}`);
		for (const words of [`show ${ID}`, "list"]) expect((await shell.run(words)).err).toBe("");
		const err = expect.stringMatching(/oh-my-pi.*--repair/);
		expect(await shell.run(`resume ${ID} --dry-run`)).toMatchObject({ code: 1, err });
	});

	test("reports a damaged file; list reports a file whose last line is torn", async () => {
		const says = (id: string) => `pi-sessions resume ${id} --repair to open a repaired copy`;
		for (const words of [`show ${ID}`, "list"]) expect((await shell.run(words)).err).toBe("");
		appendFileSync(path, '{"type":"message","id":"torn');
		expect((await shell.run(`show ${ID}`)).err).toContain(says(ID));
		const { err, out } = await shell.run("list");
		expect(err).toContain(`damaged: ${ID}. Run ${says("<id>")}`);
		expect(out).toContain(ID);
	});

	test("lists the files of copied sessions, which share an id, and accepts a path", async () => {
		const copy = shell.session("two", readFileSync(path, "utf8"));
		const { code, err } = await shell.run(`show ${ID}`);
		expect(code).toBe(2);
		expect(err).toMatch(/several files match.*Specify one of these paths:/);
		for (const file of [path, copy]) {
			expect(err).toContain(`  ${file}  Fix the date parser`);
			for (const name of [file, relative(shell.cwd, file)])
				expect((await shell.json(["show", name, "--json"])).session.path).toBe(file);
		}
	});

	test("prints the session and its recap as JSON, stored or not", async () => {
		const unstored = { session: { id: ID, recap: null }, recap: { id: "", subject_id: ID }, stored: false };
		expect(await shell.json(`show ${ID} --json`)).toMatchObject(unstored);
		await shell.run(`recap ${ID}`);
		const stored = await shell.json(`show ${ID} --json`);
		expect(stored).toMatchObject({ session: { recap: { fresh: true } }, stored: true });
		expect(stored.recap.id).toBe(stored.session.recap.id);
	});

	test("escapes markup in a session's text", async () => {
		shell.session(
			"four",
			other("# Title <script>alert(1)</script> *x* \u001b[31mred").assistant("[l](u) `c`"),
		);
		const { out } = await shell.run(`show ${OTHER} --markdown`);
		expect(out).toMatch(/^## Title \\<script>alert\(1\)/);
		expect(out).not.toMatch(/(?<!\\)<|\u001b/);
	});

	test.each([24, 80])("fits into a terminal of %i columns", async (columns) => {
		const wide = other("日本語の検索を直してください。".repeat(9)).assistant(`${"word ".repeat(90)}done.`);
		shell.session("four", wide);
		const { out } = await shell.run(`show ${OTHER}`, { columns });
		for (const line of out.split("\n")) expect(stringWidth(line)).toBeLessThanOrEqual(columns);
	});
});

describe("recap", () => {
	test("writes one recap per last message, and another with --force", async () => {
		const first = await shell.json(`recap ${ID} --json`);
		const again = await shell.run(`recap ${ID} --json`);
		expect(again).toMatchObject({ code: 0, err: expect.stringContaining("--force") });
		expect(JSON.parse(again.out)).toEqual(first);
		expect((await shell.json(`recap ${ID} --json --force`)).id).not.toBe(first.id);
		expect(readFileSync(path, "utf8").match(/session-suite:recap/g)).toHaveLength(2);
	});

	test("refuses a session that a pi process has open, and a damaged file, which stays as it is", async () => {
		const lease = shell.open(ID, "idle", path);
		const refused = { code: 1, out: "", err: expect.stringContaining("/recap-card in the process") };
		expect(await shell.run(`recap ${ID}`)).toEqual(refused);
		lease.release();
		const damaged = `${readFileSync(path, "utf8")}{"type":"message","id":"torn`;
		shell.session(ID, damaged);
		const err = expect.stringMatching(/^pi-sessions recap: this session's file is damaged.* --repair .*\n$/);
		expect(await shell.run(`recap ${ID} --force`)).toMatchObject({ code: 1, err });
		expect(readFileSync(path, "utf8")).toBe(damaged);
	});
});

test("attach reports a session that is not open, or the process that has it open", async () => {
	const closed = { code: 1, err: expect.stringContaining("this session is not open") };
	expect(await shell.run(`attach ${ID}`)).toMatchObject(closed);
	shell.open(ID, "idle", path);
	expect((await shell.run(`attach ${ID}`)).err).toContain(`pid ${process.pid}`);
});

describe("completion", () => {
	test("offers commands, options, their values, shells, and titles, or ids for ambiguous titles", async () => {
		for (const id of ["66666666-aaaa", "77777777-bbbb"]) shell.named(id, "Twice");
		const offered = async (words: string) => {
			const { out } = await shell.run(`offers -- ${words}`);
			return out.split("\n").map((line) => line.split("\t")[0] ?? "");
		};
		expect(await offered("")).toContain("status");
		expect(await offered("list --state")).toContain("waiting");
		expect(await offered("resume --at")).toEqual([""]);
		expect(await offered("completion")).toEqual(["bash", "zsh", "fish", ""]);
		const show = await offered("show --json");
		const options = show.filter((value) => value.startsWith("-"));
		expect(options.toSorted()).toEqual(["--agents", "--json", "--markdown"]);
		expect(show).toEqual(expect.arrayContaining(["66666666", "77777777", "Fix the date parser"]));
	});

	const OFFERS = "--branch\\tFork\\nFix the date parser\\t1111\\na: \\\\e[31m b\\t2222\\n";
	const STUB = `pi-sessions() { [ "$*" = "offers -- show" ] && printf -- '${OFFERS}'; }`;

	test("in bash, what is typed is completed, and spaces are quoted", async () => {
		const { out: script } = await shell.run("completion bash");
		const typed = `COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _pi_sessions; printf '%s\\n' "\${COMPREPLY[@]}"`;
		// bash reads the user's startup files if its standard input is a socket, as it is when Node starts
		// bash.
		const options = ["--norc", "-c", [script, STUB, typed].join("\n")];
		const complete = (word: string) => {
			const args = [...options, "bash", "pi-sessions", "show", word];
			return execFileSync("bash", args, { encoding: "utf8" }).trimEnd();
		};
		expect(complete("fix")).toBe("Fix\\ the\\ date\\ parser");
		expect(complete("--b")).toBe("--branch");
		expect(complete("").split("\n")).toHaveLength(2);
	});

	test.skipIf(spawnSync("zsh", ["-c", ""]).error)("in zsh, colons and backslashes are kept", async () => {
		const { out } = await shell.run("completion zsh");
		const stubs = [
			"compdef() { :; }",
			STUB,
			'_describe() { print -rl -- "$offers[@]"; }',
			"words=(pi-sessions show a); CURRENT=3; PREFIX=a",
		].join("\n");
		const printed = execFileSync("zsh", ["-f", "-c", `${stubs}\n${out}\n_pi_sessions`], { encoding: "utf8" });
		expect(printed).toBe("Fix the date parser:1111\na\\: \\\\e[31m b:2222\n");
	});
});
