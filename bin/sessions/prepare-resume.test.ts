import { expect, test } from "vitest";
import { CODEX, PI } from "../../session-core/log/format.ts";
import { recapOf } from "../../session-core/recap/record.test-support.ts";
import type { Lease } from "../../session-core/sessions/live/lease-files.ts";
import type { SessionSummary } from "../../session-core/sessions/summary.ts";
import { prepareResume, type ResumeFacts, type ResumeWish } from "./prepare-resume.ts";

const PI_SESSION = {
	path: "/agent/s.jsonl",
	id: "s1",
	format: PI,
	cwd: "/code",
	kind: "session",
	model: undefined,
	parentSession: undefined,
} as SessionSummary; // No other fields are read.
const JOB: SessionSummary = { ...PI_SESSION, kind: "headless" };
const CODEX_SESSION = { ...PI_SESSION, format: CODEX };

const lease: Lease = { instance: "i", pid: 7, host: "h", sessionId: "s1", state: "working", since: 0 };
const step = recapOf({ next_actions: ["Add a test"] });
const asking = recapOf({ next_actions: ["Which color?"] });
const job = recapOf({ kind: "job", next_actions: ["Add a test"] });
const asksInJob = recapOf({ kind: "job", next_actions: ["Which color?"] });
const FACTS: ResumeFacts = {
	recap: step,
	hasFolder: true,
	wholeRequest: undefined,
	isPlanted: false,
	isQuoted: false,
	isOwnJob: true,
	lease: undefined,
	obstacle: undefined,
};
const long = { text: "x".repeat(130_000), id: "e" };
const damaged = { reason: "damaged", detail: "" } as const;

type Case = [what: string, session: SessionSummary, facts: Partial<ResumeFacts>, wish: Partial<ResumeWish>];

function prepared([, session, facts, wish]: Case) {
	return prepareResume(session, { ...FACTS, ...facts }, { starts: true, ...wish });
}

/** The reason why no plan is made, or why a plan must not be carried out. */
function reasonOf(given: Case) {
	const found = prepared(given);
	return found.ok ? found.held && `held: ${found.held.reason}` : found.reason;
}

test.each<[...Case, string | undefined]>([
	["a session", PI_SESSION, {}, {}, undefined],
	["a session that is open elsewhere", PI_SESSION, { lease }, {}, "held: live"],
	["a damaged file", PI_SESSION, { obstacle: damaged }, {}, "damaged"],
	["a repaired copy", PI_SESSION, { obstacle: damaged }, { repair: true, copy: "/c" }, undefined],
	["a repaired copy of a sound file", PI_SESSION, {}, { repair: true, copy: "/c" }, "not_damaged"],
	["a read-only file", PI_SESSION, { obstacle: { reason: "read_only", detail: "" } }, {}, "read_only"],
	["a missing file", PI_SESSION, { obstacle: { reason: "missing", detail: "" } }, {}, "session_gone"],
	[
		"a missing file, repaired",
		PI_SESSION,
		{ obstacle: { reason: "missing", detail: "" } },
		{ repair: true },
		"session_gone",
	],
	["a session of pi in pi", PI_SESSION, {}, { inPi: true }, "already_pi"],
	["no step to send", PI_SESSION, { recap: undefined }, { send: true }, "no_next_step"],
	["a message without a step", PI_SESSION, { recap: undefined }, { send: true, message: "Go" }, undefined],
	["a message that is too long", PI_SESSION, {}, { message: long.text }, "too_long"],
	["a message to a job that is too long", PI_SESSION, { recap: job }, { message: long.text }, "too_long"],
	["a planted step to send", PI_SESSION, { isPlanted: true }, { send: true }, "held: planted"],
	["a planted step", PI_SESSION, { isPlanted: true }, {}, undefined],
	[
		"a long planted prompt to send",
		PI_SESSION,
		{ isPlanted: true },
		{ send: true, again: long },
		"held: planted",
	],
	[
		"a message to a planted session",
		PI_SESSION,
		{ isPlanted: true },
		{ send: true, message: "Go" },
		undefined,
	],
	["a planted job", PI_SESSION, { recap: job, isPlanted: true }, { send: true }, "held: planted"],
	["a running job", PI_SESSION, { recap: job, lease }, {}, "held: live"],
	["a job that asks", PI_SESSION, { recap: asksInJob }, {}, "held: needs_answer"],
	["a job with a quoted step", PI_SESSION, { recap: job, isQuoted: true }, {}, "held: needs_answer"],
	["a job with a long prompt", PI_SESSION, { recap: job }, { again: long }, "held: too_long"],
	["a job without a prompt", JOB, { recap: undefined }, {}, "held: no_next_step"],
	["an answered job", PI_SESSION, { recap: asksInJob }, { message: "Red" }, undefined],
	["a job without its folder", PI_SESSION, { recap: job, hasFolder: false }, {}, "held: no_folder"],
	["a session without its folder", PI_SESSION, { hasFolder: false }, {}, undefined],
	["another machine's job", PI_SESSION, { recap: job, isOwnJob: false }, {}, "held: unconfirmed"],
	["another agent's session", CODEX_SESSION, {}, {}, undefined],
	["a message to another agent", CODEX_SESSION, {}, { message: "Go" }, "not_ours"],
	["another agent's session without its folder", CODEX_SESSION, { hasFolder: false }, {}, "no_folder"],
	["the same in pi", CODEX_SESSION, { hasFolder: false }, { inPi: true }, undefined],
	["another agent's open session", CODEX_SESSION, { lease }, {}, "held: live"],
])("%s", (...given) => {
	const [what, session, facts, wish, expected] = given;
	expect(reasonOf([what, session, facts, wish])).toBe(expected);
});

test.each<[...Case, string | undefined, string | undefined]>([
	["a step", PI_SESSION, {}, { send: true }, "Add a test", undefined],
	["a question", PI_SESSION, { recap: asking }, { send: true }, undefined, "needs_answer"],
	["a quoted step", PI_SESSION, { isQuoted: true }, { send: true }, undefined, "needs_answer"],
	["a long prompt", PI_SESSION, {}, { send: true, again: long }, undefined, "too_long"],
	["nothing", PI_SESSION, { recap: asking }, {}, undefined, undefined],
])("%s is sent, or the user learns why not", (...given) => {
	const [what, session, facts, wish, prompt, reason] = given;
	const found = prepared([what, session, facts, wish]);
	expect(found).toMatchObject({ ok: true, held: undefined });
	if (found.ok) expect([found.plan.prompt, found.unsent?.reason]).toEqual([prompt, reason]);
});
