import { execFileSync, spawnSync } from "node:child_process";
import { appendFileSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import stringWidth from "string-width";
import { beforeEach, describe, expect, test } from "vitest";
import { put, SessionText, useTemporaryFolder } from "../../session-core/log/session.test-support.ts";
import { named, Shell } from "../shell.test-support.ts";

const folder = useTemporaryFolder();
const ID = "11111111-aaaa";
const shell = new Shell(folder);
let path = "";
beforeEach(() => {
	path = shell.session("one", named(ID, "Fix the date parser", shell.cwd));
});

describe("show", () => {
	test("prints a recap and writes nothing", async () => {
		const before = readFileSync(path, "utf8");
		const { code, out } = await shell.run(["show", ID.slice(0, 8)]);
		expect(code).toBe(0);
		expect(out).toMatch(/^Fix the date parser\n.* · acme\/m-1 · 11111111-aaaa\n\n/);
		expect(out).toContain("Please fix the date parser");
		expect(readFileSync(path, "utf8")).toBe(before);
	});

	test("finds a session by the title that list shows, which is its topic and not its first prompt", async () => {
		const topic = "Move the whole retry queue of the worker into SQLite please";
		const session = new SessionText({ id: "4444dddd", cwd: shell.cwd }).user("hello").assistant("Hi.");
		shell.session("four", String(session.user(topic).assistant("The queue is in SQLite now.")));
		expect((await shell.run(["list"])).out).toContain(topic);
		expect((await shell.run(["show", topic])).out).toContain("4444dddd");
		expect((await shell.run(["search", "SQLite"])).out).toContain(topic);
	});

	test("gives the provider's reason without its JSON, and no duration for a state that just began", async () => {
		const failed = new SessionText({ id: "3333cccc", cwd: shell.cwd }).user("Deploy it").assistant("", {
			content: [],
			stopReason: "error",
			errorMessage: '529: {"error":{"message":"Overloaded, try later","type":"overloaded"}}',
		});
		const sessionFile = shell.session("three", failed);
		shell.open("3333cccc", "failed", sessionFile);
		const { out } = await shell.run(["show", "3333cccc"]);
		expect(out).toContain("\nFailed: 529 Overloaded, try later\n");
		expect(out).toContain("\nfailed · ");
	});

	test("prints labels in the session's language or the language in the settings; JSON is in English", async () => {
		const session = new SessionText({ id: "5555eeee", cwd: shell.cwd })
			.user("Bitte suche heraus, warum der Test im Kalender nicht mehr durchläuft")
			.assistant("Die Zeitzone fehlt. Soll ich sie im Test fest einstellen?");
		shell.session("five", session);
		const german = (await shell.run(["show", "5555eeee"])).out;
		expect(german).toMatch(/\nWartet auf deine Antwort\n[\s\S]*Offen: Soll ich/);
		put(join(shell.agentDir, "session-suite.json"), '{ "language": "fr" }');
		expect((await shell.run(["show", "5555eeee"])).out).toContain("En suspens : Soll ich");
		const { session: json } = JSON.parse((await shell.run(["show", "5555eeee", "--json"])).out);
		expect(json.ending).toBe("Waiting for your answer");
	});

	test("uses the session that pi names in the environment, unless another one is given", async () => {
		shell.session("two", named("2222bbbb", "Write the changelog", shell.cwd));
		const env = { LANG: "C", PI_SESSION_ID: ID, PI_SESSION_FILE: path };
		expect((await shell.run(["show"], { env })).out).toMatch(/^Fix the date parser\n/);
		expect((await shell.run(["show", "2222bbbb"], { env })).out).toMatch(/^Write the changelog\n/);
		expect((await shell.run(["recap"], { env: { LANG: "C", PI_SESSION_ID: ID } })).code).toBe(0);
		const resumed = await shell.run(["resume", "--dry-run"], { env });
		expect(resumed.out).toContain(path);
		expect((await shell.run(["resume", "--dry-run", "--continue"], { env })).code).toBe(0);
	});

	test("does not report oh-my-pi's title at the beginning of a file as damage, and does not open the file in pi", async () => {
		const slot = JSON.stringify({ type: "title", v: 1, title: "Dates", source: "auto", pad: " ".repeat(40) });
		shell.session("one", `${slot}\n${readFileSync(path, "utf8")}`);
		expect(await shell.run(["show", ID])).toMatchObject({ code: 0, err: "" });
		expect((await shell.run(["list"])).err).not.toMatch(/damaged/);
		const { code, err } = await shell.run(["resume", ID, "--dry-run"]);
		expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(/oh-my-pi.*--repair/) });
	});

	test("reports a damaged file; list reports a file whose last line is torn", async () => {
		const says = (id: string) => `pi-sessions resume ${id} --repair opens a copy of what can be read`;
		expect((await shell.run(["show", ID])).err).toBe("");
		expect((await shell.run(["list"])).err).toBe("");
		appendFileSync(path, '{"type":"message","id":"torn');
		expect((await shell.run(["show", ID])).err).toContain(says(ID));
		const { err, out } = await shell.run(["list"]);
		expect(err).toContain(`damaged: ${ID}. ${says("<id>")}`);
		expect(out).toContain(ID);
	});

	test("lists the files of copied sessions, which share an id, and accepts a path", async () => {
		const copy = shell.session("two", readFileSync(path, "utf8"));
		const { code, err } = await shell.run(["show", ID]);
		expect(code).toBe(2);
		expect(err).toContain("2 sessions match");
		expect(err).toContain("Specify a file path:");
		for (const file of [path, copy]) {
			expect(err).toContain(`  ${file}  Fix the date parser`);
			for (const name of [file, relative(shell.cwd, file)]) {
				const { session } = JSON.parse((await shell.run(["show", name, "--json"])).out);
				expect(session.path).toBe(file);
			}
		}
	});

	test("prints the session and its recap as JSON, stored or not", async () => {
		const unstored = JSON.parse((await shell.run(["show", ID, "--json"])).out);
		expect(unstored).toMatchObject({
			session: { id: ID, recap: null },
			recap: { id: "", subject_id: ID },
			stored: false,
		});
		await shell.run(["recap", ID]);
		const stored = JSON.parse((await shell.run(["show", ID, "--json"])).out);
		expect(stored).toMatchObject({ session: { recap: { fresh: true } }, stored: true });
		expect(stored.recap.id).toBe(stored.session.recap.id);
	});

	test("escapes markup in a session's text", async () => {
		const text = new SessionText({ id: "4444aaaa", cwd: shell.cwd });
		shell.session(
			"two",
			text.user("# Title <script>alert(1)</script> *x* \u001b[31mred").assistant("[l](u) `c`"),
		);
		const { out } = await shell.run(["show", "4444aaaa", "--markdown"]);
		expect(out).toMatch(/^## Title \\<script>alert\(1\)/);
		expect(out).not.toMatch(/(?<!\\)</);
		expect(out).not.toContain("\u001b");
	});

	test("shows a failure in the color that a failed session has in the list", async () => {
		const text = new SessionText({ id: "6666aaaa", cwd: shell.cwd }).user("Fix the parser of the dates");
		shell.session("failed", text.assistant("", { stopReason: "error", errorMessage: "overloaded" }));
		const { out } = await shell.run(["show", "6666aaaa"], { columns: 80, env: { TERM: "xterm" } });
		expect(out).toMatch(/\x1b\[31mFailed: [^\n]*overloaded/);
	});

	test.each([24, 80])("fits into a terminal of %i columns", async (columns) => {
		const text = new SessionText({ id: "5555aaaa", cwd: shell.cwd });
		shell.session(
			"wide",
			text.user("日本語の検索を直してください。".repeat(9)).assistant(`${"word ".repeat(90)}done.`),
		);
		const { out } = await shell.run(["show", "5555aaaa"], { columns });
		for (const line of out.split("\n")) expect(stringWidth(line)).toBeLessThanOrEqual(columns);
	});
});

describe("recap", () => {
	test("writes one recap per last message, and another with --force", async () => {
		const first = await shell.run(["recap", ID, "--json"]);
		expect(first.code).toBe(0);
		const again = await shell.run(["recap", ID, "--json"]);
		expect(again).toMatchObject({ code: 0, err: expect.stringContaining("--force") });
		expect(JSON.parse(again.out)).toEqual(JSON.parse(first.out));
		const forced = await shell.run(["recap", ID, "--json", "--force"]);
		expect(JSON.parse(forced.out).id).not.toBe(JSON.parse(first.out).id);
		expect(readFileSync(path, "utf8").match(/session-suite:recap/g)).toHaveLength(2);
	});

	test("refuses a session that a pi has open, and a damaged file, which stays as it is", async () => {
		const lease = shell.open(ID, "idle", path);
		const refused = { code: 1, out: "", err: expect.stringContaining("/recap-card there") };
		expect(await shell.run(["recap", ID])).toEqual(refused);
		lease.release();
		const damaged = `${readFileSync(path, "utf8")}{"type":"message","id":"torn`;
		shell.session("one", damaged);
		const { code, err } = await shell.run(["recap", ID, "--force"]);
		expect(code).toBe(1);
		expect(err).toMatch(/^pi-sessions recap: This session's file is damaged.* --repair .*\n$/);
		expect(readFileSync(path, "utf8")).toBe(damaged);
	});
});

describe("attach", () => {
	test("reports a session that is not open, or the process that has it open", async () => {
		const closed = { code: 1, err: expect.stringContaining("this session is not open") };
		expect(await shell.run(["attach", ID])).toMatchObject(closed);
		shell.open(ID, "idle", path);
		const { err } = await shell.run(["attach", ID]);
		expect(err).toContain(`pid ${process.pid}`);
	});
});

describe("completion", () => {
	const offered = async (...words: string[]) => {
		const { out } = await shell.run(["offers", "--", ...words]);
		return out.split("\n").map((line) => line.split("\t")[0] ?? "");
	};

	test("offers commands, options, their values, shells, and titles, or ids for ambiguous titles", async () => {
		shell.session("a", named("66666666-aaaa", "Twice", shell.cwd));
		shell.session("b", named("77777777-bbbb", "Twice", shell.cwd));
		expect(await offered()).toContain("status");
		expect(await offered("list", "--state")).toContain("waiting");
		expect(await offered("resume", "--at")).toEqual([""]);
		expect(await offered("completion")).toEqual(["bash", "zsh", "fish", ""]);
		const show = await offered("show", "--json");
		const options = show.filter((value) => value.startsWith("-"));
		expect(options.toSorted()).toEqual(["--agents", "--json", "--markdown"]);
		expect(show).toEqual(expect.arrayContaining(["66666666", "77777777", "Fix the date parser"]));
	});

	const OFFERS = "--branch\\tFork\\nFix the date parser\\t1111\\na: \\\\e[31m b\\t2222\\n";
	const STUB = `pi-sessions() { [ "$*" = "offers -- show" ] && printf -- '${OFFERS}'; }`;

	test("in bash, what is typed is completed, and spaces are quoted", async () => {
		const script = (await shell.run(["completion", "bash"])).out;
		const typed = `COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _pi_sessions; printf '%s\\n' "\${COMPREPLY[@]}"`;
		// bash reads the user's startup files if its standard input is a socket, as it is when Node starts bash.
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
		const { out } = await shell.run(["completion", "zsh"]);
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
