import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { PI } from "../log/format.ts";
import { put, SessionText, useTemporaryFolder } from "../log/session.test-support.ts";
import { ENGLISH } from "../recap/card-words.ts";
import { midnightOf } from "../recap/locale.ts";
import { recapOf } from "../recap/record.test-support.ts";
import type { Description } from "./describe.ts";
import type { SessionSummary } from "./summary.ts";
import { type DaySession, dayMarkdown, dayText, listToday } from "./today.ts";
import { viewOf } from "./view.ts";

const at = (hours: number, minutes = 0, days = 0) => new Date(2026, 10, 22 + days, hours, minutes).getTime();

const RECAP = recapOf({
	headline: "Move the retry queue to SQLite",
	bullets: ["Did: edited queue.ts · npm test → 43 passed"],
	next_actions: ["Shall I delete the old table?"],
	artifacts: [{ kind: "file", label: "queue.ts", locator: "src/queue.ts" }],
	last_message_id: "m",
});

const SUMMARY: SessionSummary = {
	path: "/s.jsonl",
	id: "s",
	format: PI,
	cwd: join(homedir(), "app"),
	created: at(9, 5),
	modified: at(11, 40),
	changed: 0,
	size: 1,
	name: "Retry queue",
	nameSource: "manual",
	nameSettled: true,
	firstPrompt: "move the retry queue",
	parentSession: undefined,
	kind: "session",
	last: { id: "m", role: "assistant", stopReason: "stop", errorMessage: undefined, at: undefined },
	model: undefined,
	recap: RECAP,
	hostReads: true,
	work: undefined,
};

const session = (fields: Partial<SessionSummary> = {}, described: Partial<Description> = {}): DaySession => ({
	view: viewOf({ ...SUMMARY, ...fields }),
	described: { record: RECAP, stored: true, words: ENGLISH, ...described },
});
const SESSION = session();

const view = { more: 0, now: at(17), since: midnightOf(at(17)), byProject: false };

describe("the list of a day", () => {
	test("shows when each session ran, its state, what it did and what is open", () =>
		expect(dayMarkdown({ ...view, sessions: [SESSION] })).toBe(
			[
				"# 2026-11-22",
				"",
				"## Retry queue",
				"",
				"*09:05–11:40 · Waiting for your answer*",
				"",
				"- Move the retry queue to SQLite",
				"- Did: edited queue.ts · npm test → 43 passed",
				"- Open: Shall I delete the old table?",
				"- `src/queue.ts`",
			].join("\n"),
		));

	test("is text without markup for a person, with the project if there are several", () => {
		const sessions = [SESSION, session({ cwd: "/srv/site", name: "Site" }, { record: undefined })];
		expect(dayText({ ...view, sessions, byProject: true, more: 2 })).toBe(
			[
				"Retry queue",
				"~/app · 09:05–11:40 · Waiting for your answer",
				"- Move the retry queue to SQLite",
				"- Did: edited queue.ts · npm test → 43 passed",
				"- Open: Shall I delete the old table?",
				"",
				"Site",
				"/srv/site · 09:05–11:40 · Waiting for your answer",
				"",
				"(2 more)",
			].join("\n"),
		);
	});

	test("groups the sessions of all projects by project", () => {
		const other = session({ cwd: "/srv/site", name: "Site" });
		const text = dayMarkdown({
			...view,
			byProject: true,
			sessions: [SESSION, other, session({ name: "More" })],
		});
		expect(text.match(/^#+ .*$/gm)).toEqual([
			"# 2026-11-22",
			"## ~/app",
			"### Retry queue",
			"### More",
			"## /srv/site",
			"### Site",
		]);
	});

	test("shows no start time for an older session, and the prompt of one without a record", () => {
		const bare = session({ name: undefined, created: at(9, 0, -3), recap: undefined }, { record: undefined });
		expect(dayMarkdown({ ...view, sessions: [bare] })).toBe(
			"# 2026-11-22\n\n## move the retry queue\n\n*…–11:40*",
		);
	});
});

const folder = useTemporaryFolder();

test("a fork without messages of its own is not listed beside its original", async () => {
	const place = (id: string, parentSession?: string) =>
		new SessionText({ id, ...(parentSession && { parentSession }) }).user("Fix it").assistant("Done");
	const file = (id: string) => join(folder(), "a", `${id}.jsonl`);
	put(file("original"), place("original").toString());
	put(file("unused"), place("unused", file("original")).toString());
	put(file("used"), place("used", file("original")).user("Now the tests").assistant("Done").toString());
	const options = { agentDir: folder(), folders: [join(folder(), "a")], now: Date.now(), since: 0 };
	const { sessions } = await listToday({ ...options, words: () => ENGLISH });
	expect(sessions.map(({ view }) => view.id).toSorted()).toEqual(["original", "used"]);
});

test("sessions of other projects in a shared folder are listed only for all projects", async () => {
	const shared = join(folder(), "shared");
	for (const cwd of ["/app", "/other"])
		put(
			join(shared, `${cwd.slice(1)}.jsonl`),
			`${new SessionText({ id: cwd.slice(1), cwd }).user("Fix it")}`,
		);
	const options = { agentDir: folder(), folders: [shared], now: Date.now(), since: 0, words: () => ENGLISH };
	const idsIn = async (project?: string) =>
		(await listToday({ ...options, project })).sessions.map(({ view }) => view.id).toSorted();
	expect(await idsIn("/app")).toEqual(["app"]);
	expect(await idsIn()).toEqual(["app", "other"]);
});
