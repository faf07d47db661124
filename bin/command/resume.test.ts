import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { LeaseHolder } from "../../session-core/live/lease.ts";
import {
	put,
	SessionText,
	START,
	useTemporaryFolder,
} from "../../session-core/session-file/session.test-support.ts";
import { cleanText } from "../../session-core/text/sanitize.ts";
import { named, Shell } from "../shell.test-support.ts";

const folder = useTemporaryFolder();
const ID = "11111111-aaaa";
let shell: Shell;
let path = "";
beforeEach(() => {
	shell = new Shell(folder());
	path = shell.session("one", named(ID, "Fix the date parser", shell.cwd));
	// A pi that tells how it was called.
	const pi = put(
		join(folder(), "bin", "pi"),
		'#!/bin/sh\n{ pwd; printf "%s\\n" "$PI_SESSION_SUITE_RESUME" "$@"; } > "$PI_TOLD"\nexit 7\n',
	);
	chmodSync(pi, 0o755);
});

/** Runs it; gives what pi was told, if it was started. */
async function resume(...words: string[]) {
	const told = join(folder(), "told");
	rmSync(told, { force: true });
	const env = { PATH: `${join(folder(), "bin")}:/usr/bin:/bin`, PI_TOLD: told };
	const { code, out, err } = await shell.run(["resume", ...words], { env });
	const [cwd, order, ...args] = existsSync(told) ? readFileSync(told, "utf8").trimEnd().split("\n") : [];
	return { code, out, err, cwd, order, args };
}

describe("what is run", () => {
	test("is pi in the session's own folder, and its exit code is passed on", async () => {
		expect(await resume("fix", "the", "date", "parser")).toMatchObject({
			code: 7,
			cwd: shell.cwd,
			args: ["--session", path],
		});
	});

	test("is the newest session of this project with --continue, whoever else is newer", async () => {
		const text = named("22222222-bbbb", "Newer elsewhere", "/elsewhere");
		shell.session("two", text, "/elsewhere");
		expect((await resume("--continue")).args).toEqual(["--session", path]);
	});

	test("is a fork with --branch, the user's words with --message, and printed with --dry-run", async () => {
		expect((await resume(ID, "--branch")).args).toEqual(["--fork", path]);
		expect((await resume(ID, "--message", "Now the docs")).args).toEqual(["--session", path, "Now the docs"]);
		expect((await resume(ID, "--message=--help")).args).toEqual(["--session", path, "Go on: --help"]);
		const dry = await resume(ID, "--dry-run");
		expect(dry).toMatchObject({ code: 0, args: [] });
		expect(dry.out).toMatch(/^cd .*project && .*pi --session .*one\.jsonl\n$/);
	});

	test("goes back to an entry in a new session; the session stays as it is", async () => {
		const before = readFileSync(path, "utf8");
		const { args } = await resume(ID, "--at", "e0000001");
		expect(args[0]).toBe("--session");
		expect(args[1]).not.toBe(path);
		expect(readFileSync(args[1] ?? "", "utf8")).not.toContain("session_info");
		expect(readFileSync(path, "utf8")).toBe(before);
	});
});

describe("a folder whose name holds what a terminal hides or acts on", () => {
	test.each(["ap\u200bp", "ap\x1b]0;x\x07p", "ap\u202ep\u0085"])("%j is where pi runs", async (name) => {
		const shown = join(folder(), "app");
		const real = join(folder(), name);
		for (const path of [shown, real]) mkdirSync(path);
		shell.session("two", named("22222222-bbbb", "Fix the queue", real), real);
		expect((await resume("22222222")).cwd).toBe(real);
		const { out } = await resume("22222222", "--dry-run");
		expect(cleanText(out)).toBe(out);
		const [enter] = out.split(" && ");
		expect(execFileSync("/bin/sh", ["-c", `${enter} && pwd`], { encoding: "utf8" })).toBe(`${real}\n`);
	});

	test("reaches neither stdout nor stderr as it is", async () => {
		const cwd = join(folder(), "a\x1b[31mb\x07\u009b1m\u202e");
		const text = named("22222222-bbbb", "Fix the queue", cwd);
		for (const name of ["two", "three"]) shell.session(name, text, cwd);
		shell.session("four", named("33333333-cccc", "Fix the list", cwd), cwd);
		const commands = [
			["show", "22222222"],
			["show", "33333333"],
			["show", "33333333", "--markdown"],
			["list", "--all"],
			["today", "--all"],
			["resume", "33333333", "--dry-run"],
			["resume", "33333333", "--at", "e0000001", "--dry-run"],
			["recap", "33333333"],
		];
		for (const words of commands) {
			const { out, err } = await shell.run(words, { now: () => START });
			expect([words, cleanText(out), cleanText(err)]).toEqual([words, out, err]);
			expect(out + err).not.toBe("");
		}
	});
});

test.each([1_000, 100_000, 400_000])("a prompt of %i characters is handed over whole", async (length) => {
	const long = `${"Fix the parser. ".repeat(length / 16)}The end`;
	const text = named(ID, "Fix the date parser", shell.cwd).user(long).assistant("Done.");
	shell.session("one", text);
	const [prompt] = text.ids.slice(-2);
	const { code, args, order } = await resume(ID, "--at", prompt ?? "");
	expect({ code, args }).toEqual({ code: 7, args: ["--session", expect.any(String)] });
	expect(order === (length > 30_000 ? `entry:${prompt}` : `text:${long}`)).toBe(true);
	const sent = await resume(ID, "--at", prompt ?? "", "--send");
	expect(sent.code).toBe(7);
	const isSent = length <= 100_000;
	expect(sent.args[2] === (isSent ? long : undefined)).toBe(true);
	expect(sent.err).toMatch(isSent ? /^$/ : /too long for a command line, so it waits in the editor/);
});

describe("a dry run", () => {
	/** Every file and folder, with what is in it. */
	const tree = () =>
		readdirSync(folder(), { recursive: true, withFileTypes: true })
			.map((entry) => join(entry.parentPath, entry.name))
			.toSorted()
			.map((name) => [name, statSync(name).isFile() ? readFileSync(name, "latin1") : ""]);

	test.each([
		[["--at", "e0000001"], /fork that ends at e0000001/],
		[["--branch"], /^$/],
		[["--continue"], /^$/],
	])("writes nothing with %j, and says what it would write", async (words, said) => {
		const before = tree();
		const { code, out, err } = await resume(
			...(words[0] === "--continue" ? [] : [ID]),
			...words,
			"--dry-run",
		);
		expect({ code, err }).toEqual({ code: 0, err: expect.stringMatching(said) });
		expect(out).toMatch(/^cd .* pi --(session|fork) /);
		expect(tree()).toEqual(before);
	});

	test("writes no repaired copy either, and leaves what dead processes left", async () => {
		shell.session("one", `\0\0${named(ID, "Fix the date parser", shell.cwd)}`);
		new LeaseHolder(shell.agentDir, { sessionId: "other" }, "working", Date.now()).claim();
		const leases = join(shell.agentDir, "session-suite", "live");
		for (const name of readdirSync(leases)) {
			const lease = JSON.parse(readFileSync(join(leases, name), "utf8"));
			put(join(leases, name), JSON.stringify({ ...lease, pid: 2 ** 22 + 1 }));
		}
		const before = tree();
		const { code, err } = await resume(ID, "--repair", "--dry-run");
		expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining("repaired copy") });
		expect(tree()).toEqual(before);
	});

	test("says what could not be done, as the run itself would", async () => {
		const before = tree();
		expect(await resume(ID, "--at", "ffff", "--dry-run")).toMatchObject({ code: 2 });
		expect(await resume(ID, "--at", "e0000000", "--dry-run")).toMatchObject({ code: 1 });
		expect(tree()).toEqual(before);
	});
});

test("a job is held to its tools, and linked, also by a record that is written anew or made for a later state", async () => {
	const ran = new SessionText({ id: "4444aaaa", cwd: shell.cwd })
		.user("Sort the imports")
		.assistant("Sorted.");
	const record = {
		id: "r1",
		kind: "job",
		subject_id: "4444aaaa",
		generator: { type: "heuristic" },
		headline: "Sort the imports",
		bullets: [],
		next_actions: [],
		artifacts: [],
		outcome: "done",
		resume_hint: { seed_instruction: "", tools: ["read"] },
		parent_job_id: "first",
		resumed_from_recap_id: "r0",
		last_message_id: ran.ids.at(-1),
		created_at: 1,
	};
	const text = ran.entry("custom", { customType: "session-suite:recap", data: record });
	const tools = async () => {
		const { args } = await resume("4444aaaa");
		return args.includes("--tools") ? args[args.indexOf("--tools") + 1] : "all of them";
	};
	shell.session("job", text);
	expect(await tools()).toBe("read");
	await shell.run(["recap", "4444aaaa", "--force"]);
	expect(await tools()).toBe("read");
	const { recap } = JSON.parse((await shell.run(["show", "4444aaaa", "--json"])).out);
	expect(recap).toMatchObject({ parent_job_id: "first", resumed_from_recap_id: "r0" });
	shell.session("job", text.user("And the exports").assistant("Those too."));
	expect(await tools()).toBe("read");
});

describe("nothing is run", () => {
	test("where there is none to resume: a warning, and no failure", async () => {
		const none = { agentDir: join(folder(), "none") };
		expect(await shell.run(["resume", "--continue"], none)).toMatchObject({
			code: 0,
			err: expect.stringContaining("no session to resume in this project"),
		});
		expect((await shell.run(["resume"], none)).code).toBe(0);
	});

	test("where it is not said which, or said twice", async () => {
		expect(await resume()).toMatchObject({ code: 2, args: [], err: expect.stringContaining("--continue") });
		expect(await resume("--continue", ID)).toMatchObject({ code: 2, args: [] });
	});

	test("for an entry that is not there, or that several begin like, and the prompts are listed", async () => {
		for (const at of ["ffff", "e000"]) {
			const { code, err, args } = await resume(ID, "--at", at);
			expect({ code, args }).toEqual({ code: 2, args: [] });
			expect(err).toContain("e0000000  Please fix the date parser");
		}
		expect(await resume(ID, "--at", "e0000000")).toMatchObject({
			code: 1,
			err: expect.stringContaining("first prompt"),
		});
		expect(readdirSync(dirname(path))).toEqual(["one.jsonl"]);
	});

	test("while another pi has it open, but for a fork or where it is wished all the same", async () => {
		new LeaseHolder(shell.agentDir, { sessionId: ID, sessionFile: path }, "working", Date.now()).claim();
		expect(await resume(ID)).toMatchObject({
			code: 1,
			args: [],
			err: expect.stringMatching(/open in another pi \(pid \d+, working\)[\s\S]*attach/),
		});
		expect((await resume(ID, "--branch")).args).toEqual(["--fork", path]);
		expect((await resume(ID, "--anyway")).args).toEqual(["--session", path]);
	});

	test("with a damaged file, unless as a repaired copy", async () => {
		const damaged = `\0\0${named(ID, "Fix the date parser", shell.cwd)}`;
		shell.session("one", damaged);
		expect(await resume(ID)).toMatchObject({ code: 1, args: [], err: expect.stringContaining("--repair") });
		const { args } = await resume(ID, "--repair");
		expect(args[1]).not.toBe(path);
		expect(readFileSync(path, "utf8")).toBe(damaged);
	});

	test("for a job that asked something, until it is answered; its folder must be there", async () => {
		const asking = new SessionText({ id: "3333aaaa", cwd: shell.cwd })
			.user("Sort the imports")
			.assistant("Which first?");
		const record = {
			id: "r1",
			kind: "job",
			subject_id: "3333aaaa",
			generator: { type: "heuristic" },
			headline: "Sort the imports",
			bullets: [],
			next_actions: ["Which first?"],
			artifacts: [],
			outcome: "waiting",
			resume_hint: { seed_instruction: "Which first?", tools: [] },
			last_message_id: asking.ids.at(-1),
			created_at: 1,
		};
		const job = shell.session(
			"job",
			asking.entry("custom", { customType: "session-suite:recap", data: record }),
		);
		expect(await resume("3333aaaa")).toMatchObject({
			code: 1,
			args: [],
			err: expect.stringContaining("Which first?"),
		});
		const { args } = await resume("3333aaaa", "--message", "src");
		expect(args.slice(0, 8)).toEqual([
			"-p",
			"--fork",
			job,
			"--provider",
			"acme",
			"--model",
			"m-1",
			"--no-tools",
		]);
		rmSync(shell.cwd, { recursive: true });
		expect(await resume("3333aaaa", "--message", "src")).toMatchObject({
			code: 1,
			err: expect.stringContaining("does not exist"),
		});
	});

	test("without pi", async () => {
		rmSync(join(folder(), "bin", "pi"));
		expect(await resume(ID)).toMatchObject({ code: 1, err: expect.stringContaining("not in the PATH") });
	});

	test.each(["/x".repeat(5_000), "/etc/passwd/x", "relative"])(
		"in a folder that is none (%.20s): pi asks where to go on",
		async (cwd) => {
			shell.session("one", named(ID, "Fix the date parser", cwd));
			expect(await resume(ID)).toMatchObject({ code: 7, cwd: shell.cwd });
		},
	);
});
