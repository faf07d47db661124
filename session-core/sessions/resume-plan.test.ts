import { execFileSync, spawnSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hostileText } from "../../test/support/hostile-text.ts";
import { PI } from "../log/format.ts";
import { recapOf as anyRecap } from "../recap/record.test-support.ts";
import type { SessionRecord } from "../recap/record.ts";
import { commandLine } from "../text/command-line.ts";
import { planResume, type ResumeOptions, type SendWish, sendingOf, shellLine } from "./resume-plan.ts";
import { readWaiting, resumedJob } from "./resume-prompt.ts";
import type { SessionSummary } from "./summary.ts";

const SESSION = {
	path: "/agent/sessions/--code--/s.jsonl",
	id: "s-1",
	format: PI,
	cwd: "/code/my app",
	kind: "session",
	model: { provider: "acme", id: "large" },
	parentSession: undefined,
} as SessionSummary; // No other fields are read.
const JOB: SessionSummary = { ...SESSION, kind: "headless" };

const recapOf = (more: Partial<SessionRecord> = {}) =>
	anyRecap({
		id: "r-1",
		subject_id: "s-1",
		headline: "Move the queue",
		next_actions: ["Add a test"],
		outcome: "done",
		...more,
	});

type Wish = SendWish & Pick<ResumeOptions, "recap" | "branch" | "copy">;

/** The plan for text that comes from the user's own file. */
function planned(session: SessionSummary, { recap, ...wish }: Wish = {}) {
	const facts = { recap, wholeRequest: undefined, isPlanted: false, isQuoted: false };
	return planResume(session, { ...wish, recap, sending: sendingOf(session, wish, facts) });
}

describe("a session", () => {
	test("is opened in its own folder, with its next step in the editor", () =>
		expect(planned(SESSION, { recap: recapOf() })).toEqual({
			kind: "session",
			session_id: "s-1",
			session_file: SESSION.path,
			command: ["pi", "--session", SESSION.path],
			cwd: "/code/my app",
			env: { PI_SESSION_SUITE_RESUME: "record:r-1" },
			command_line: `cd '/code/my app' && PI_SESSION_SUITE_RESUME=record:r-1 pi --session ${SESSION.path}`,
			branch: false,
			model: { provider: "acme", model: "large" },
			seed_instruction: "Add a test",
		}));

	test("has the next step of its current state in the editor if that state has no stored record", () =>
		expect(planned(SESSION, { recap: recapOf({ id: "" }) }).env["PI_SESSION_SUITE_RESUME"]).toBe("next"));

	test("without a record is opened without a prompt", () => {
		const command_line = `pi --session ${SESSION.path}`;
		expect(planned({ ...SESSION, cwd: "" })).toMatchObject({ command_line, env: {} });
	});

	test("continues in a fork if the user requests that or its record says so", () => {
		const branching = recapOf({ resume_hint: { seed_instruction: "Add", branch_on_resume: true } });
		expect(planned(SESSION, { branch: true }).command).toEqual(["pi", "--fork", SESSION.path]);
		expect(planned(SESSION, { recap: branching })).toMatchObject({ branch: true });
		expect(planned(SESSION, { recap: branching, branch: false })).toMatchObject({ branch: false });
		// A fork that shows its parent's record is already the fork that the record requests.
		expect(planned({ ...SESSION, id: "s-2" }, { recap: branching })).toMatchObject({ branch: false });
	});

	test("is sent its next step if the user requests that, but never its own question", () => {
		const sent = planned(SESSION, { recap: recapOf(), send: true });
		expect(sent.command.at(-1)).toBe("Add a test");
		expect(sent.env).toEqual({});
		const asking = recapOf({ next_actions: ["Which colour?"] });
		expect(planned(SESSION, { recap: asking, send: true })).toMatchObject({
			command: ["pi", "--session", SESSION.path],
			env: { PI_SESSION_SUITE_RESUME: "record:r-1" },
			needs_answer: "Which colour?",
		});
	});

	test("is sent only the user's own words, even if they answer a question", () => {
		const asking = recapOf({ next_actions: ["Which colour?"] });
		const { prompt, needs_answer } = planned(SESSION, { recap: asking, message: "Green" });
		expect(prompt).toBe("Green");
		expect(needs_answer).toBeUndefined();
		expect(planned(SESSION, { message: "Now the docs" }).prompt).toBe("Now the docs");
	});

	test.each(["--help", "@/etc/passwd", "/new", "!ls"])(
		"is not sent %s as if it were one of pi's own",
		(text) => expect(planned(SESSION, { message: text }).prompt).toBe(` ${text}`),
	);
});

describe("an earlier point", () => {
	const copy = "/agent/sessions/--code--/fork.jsonl";

	test("continues in the copy that was made for it, with its prompt in the editor or sent", () => {
		const plan = planned(SESSION, { recap: recapOf(), again: { text: "Fix it\nall", id: "e7" }, copy });
		expect(plan).toMatchObject({
			command: ["pi", "--session", copy],
			env: { PI_SESSION_SUITE_RESUME: "text:Fix it\nall" },
			session_id: "s-1",
			session_file: copy,
			branch: true,
		});
		expect(readWaiting(plan.env["PI_SESSION_SUITE_RESUME"])).toEqual({ type: "text", value: "Fix it\nall" });
		const again = { text: "Fix it", id: "e7" };
		expect(planned(SESSION, { again, copy, send: true }).command.at(-1)).toBe("Fix it");
	});

	test.each([29_000, 31_000, 119_000, 130_000, 5_000_000])(
		"loses nothing of a prompt of %i characters",
		(length) => {
			const again = { text: "x".repeat(length), id: "e7" };
			const { env } = planned(SESSION, { again, copy });
			const waiting = readWaiting(env["PI_SESSION_SUITE_RESUME"]);
			expect(waiting).toEqual(
				length > 30_000 ? { type: "entry", value: "e7" } : { type: "text", value: again.text },
			);
			const sent = planned(SESSION, { again, copy, send: true });
			expect(sent.prompt).toBe(length > 120_000 ? undefined : again.text);
			expect(sent.env).toEqual(sent.prompt === undefined ? env : {});
		},
	);

	test.each([
		["next", { type: "next", value: "" }],
		["record:r-1", { type: "record", value: "r-1" }],
		["text:", { type: "text", value: "" }],
		["entry:e7", { type: "entry", value: "e7" }],
		["handover:x:/a b.jsonl", { type: "handover", value: "x:/a b.jsonl" }],
		["", undefined],
		["yes", undefined],
		[undefined, undefined],
	])("%s asks for %j", (value, waiting) => expect(readWaiting(value)).toEqual(waiting));
});

describe("a job", () => {
	const hint = {
		seed_instruction: "Add a test",
		provider: "acme",
		model: "small/7b",
		tools: ["read", "bash"],
	};

	test("continues as a new headless run with its state, model and tools, linked to the original", () => {
		const recap = recapOf({ kind: "job", resume_hint: hint });
		expect(planned(JOB, { recap })).toMatchObject({
			kind: "job",
			command: [
				...["pi", "-p", "--fork", JOB.path, "--provider", "acme", "--model", "small/7b"],
				...["--tools", "read,bash", expect.stringMatching(/^Go on: Add a test/)],
			],
			cwd: JOB.cwd,
			env: { PI_SESSION_SUITE_RESUMED_FROM: "s-1/r-1" },
			branch: true,
			parent_job_id: "s-1",
			resumed_from_recap_id: "r-1",
		});
		expect(resumedJob("s-1/r-1")).toEqual({ parent_job_id: "s-1", resumed_from_recap_id: "r-1" });
		for (const odd of [undefined, "", "r-1", "a/b/c", "a b/c"]) expect(resumedJob(odd)).toBeUndefined();
	});

	test("that was allowed no tools gets none", () => {
		const recap = recapOf({ kind: "job", resume_hint: { ...hint, tools: [] } });
		expect(planned(JOB, { recap }).command).toContain("--no-tools");
	});

	test("is recognized by its record or, without one, by how it began", () => {
		expect(planned(SESSION, { recap: recapOf({ kind: "job" }) }).kind).toBe("job");
		expect(planned(JOB, { recap: recapOf() }).kind).toBe("session");
		expect(planned(JOB).kind).toBe("job");
	});

	test("is not linked to a record that is not stored", () => {
		const plan = planned(JOB, { recap: recapOf({ id: "", kind: "job" }) });
		expect(plan.env).toEqual({});
		expect(plan.resumed_from_recap_id).toBeUndefined();
	});

	test("that asked something waits for the answer", () => {
		const asking = recapOf({ kind: "job", next_actions: ["Which colour?"] });
		expect(planned(JOB, { recap: asking })).toMatchObject({ needs_answer: "Which colour?" });
		expect(planned(JOB, { recap: asking }).prompt).toBeUndefined();
		expect(planned(JOB, { recap: asking, message: "Green" }).command.at(-1)).toBe("Green");
	});
});

/** Generates words that a shell could interpret as something other than text. */
const WORD = fc
	.array(
		fc.oneof(hostileText, fc.constantFrom(..."'\"\\!$`~=%&;|<>(){}[]*?#^-\n\t ", "\\'", "$(id)", "'; id #")),
		{ maxLength: 6 },
	)
	.map((parts) => parts.join("").replaceAll("\0", "").toWellFormed());

const SHELLS: [string, string[]][] = [
	["sh", []],
	["bash", []],
	["zsh", ["-f"]],
	["zsh", ["-f", "-o", "rcquotes", "-o", "magicequalsubst", "-o", "extendedglob"]],
	["fish", ["--no-config"]],
];

for (const [shell, options] of SHELLS) {
	const isInstalled = spawnSync(shell, ["-c", "exit 0"]).status === 0;
	test.runIf(isInstalled)(`a command line gives ${[shell, ...options].join(" ")} the very words`, () => {
		fc.assert(
			fc.property(fc.array(WORD, { minLength: 1, maxLength: 40 }), (words) => {
				const line = commandLine(["/usr/bin/env", "printf", "%s\\0", ...words]);
				expect(line).not.toContain("\t");
				const printed = execFileSync(shell, [...options, "-c", line], {
					encoding: "utf8",
					stdio: ["ignore", "pipe", "pipe"],
				});
				expect(printed.split("\0").slice(0, -1)).toEqual(words);
			}),
			{ numRuns: 25 },
		);
	});
	if (!isInstalled) console.info(`${shell} is not installed, so its command lines are not tested`);
}

test.each(["-", "-P", "+1"])("a folder named %s is no option of cd", (folder) => {
	expect(shellLine(["pi"], folder, {})).toBe(`cd ./${folder} && pi`);
});
