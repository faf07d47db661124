import { join } from "node:path";
import { SessionManager } from "@mariozechner/pi-coding-agent";
import { expect, test } from "vitest";
import { Shell } from "../bin/shell.test-support.ts";
import { ClaudeLog } from "../session-core/log/logs.test-support.ts";
import { put, SessionText, useTemporaryFolder } from "../session-core/log/session.test-support.ts";
import { openSessionFile } from "../session-core/log/session-file.ts";
import { hostSession, SessionRecords } from "../session-core/pi/session-records.ts";
import { ENGLISH } from "../session-core/recap/card-words.ts";
import { makeRecord } from "../session-core/recap/make-record.ts";
import { type Reading, readSession } from "../session-core/recap/read-session.ts";
import { type NextStep, type Note, RECAP_ENTRY, type SessionRecord } from "../session-core/recap/record.ts";
import { keepNote } from "../session-core/recap/records.ts";
import { openOf } from "../session-core/recap/text.ts";
import { describeSession } from "../session-core/sessions/describe.ts";
import { handOverFile } from "../session-core/sessions/hand-over.ts";
import { listSessions } from "../session-core/sessions/listing.ts";
import { openLeases } from "../session-core/sessions/live/index.ts";
import { goalPrompt, resumePrompt, stepPrompt } from "../session-core/sessions/resume-prompt.ts";
import { sessionAt } from "../session-core/sessions/summary.ts";
import { viewOf } from "../session-core/sessions/view.ts";
import { letters } from "../session-core/text/fold-case.mjs";
import { bodyLines } from "../session-recap/widget.ts";
import { TestBoard } from "../session-resume/board/board.test-support.ts";
import { rowOf, withLive } from "../session-resume/board/list.ts";
import { previewLines } from "../session-resume/board/preview.ts";
import { itemLine } from "../session-resume/board/row-view.ts";
import { cardContent } from "../session-resume/card/content.ts";
import { wholeStep } from "../session-resume/command/resume-here.ts";
import { serveFolder } from "./serve/agent-folder.ts";
import { Serving } from "./serve/serving.ts";

async function readingAt(path: string, cwd: string): Promise<Reading> {
	const opened = await openSessionFile(path);
	if (!opened.ok) throw new Error(opened.detail);
	return readSession(opened.session.slice, opened.session.header ?? {}, cwd);
}

const folder = useTemporaryFolder();
const shell = new Shell(folder);

interface End {
	reply?: string;
	kind?: NextStep["kind"];
	words?: string;
	cut?: "aborted" | "failed" | "running";
}

const open = (kind: NextStep["kind"], before: string, words: string, after = ""): End => ({
	...{ reply: before + words + after, kind, words },
});
const ENDS: readonly End[] = [
	open("question", "The parser rejects day 31.\n\n", "Should it throw a RangeError?"),
	open("request", "De parser is klaar. ", "Laat me weten welke versie je wilt."),
	open("offer", "The parser is done. ", "If you like, I can port the tests."),
	open("step", "The parser is done. ", "Next, I add a regression test."),
	open("question", "Two ways are left. ", "Which one?", "\n\n- a table of days\n- the calendar library"),
	{
		...open("suggestion", "Left to do:\n\n- [x] parser\n- [ ] ", "regression test", "\n- [ ] docs"),
		words: "Write the regression test",
	},
	{ reply: "All 43 tests pass. Anything else?" },
	{ cut: "aborted" },
	{ cut: "failed" },
	{ cut: "running" },
];

/** What is stored about the session's state in addition to its messages. */
const STORED = ["nothing", "a note", "an empty note", "offline", "edited", "old", "outdated"] as const;

function stateText(id: string, { reply = "", cut }: End): SessionText {
	const text = new SessionText({ id, cwd: shell.cwd })
		.user("Reject the days that do not exist")
		.edit("src/parse-date.js", "a", "b")
		.assistant("It rejects them.")
		.user(`Make the date parser of session ${id} strict, as in the specification`)
		.bash("npm test", "Tests  43 passed (43)");
	if (cut === "aborted") return text.aborted();
	if (cut === "failed") return text.failed("529 Overloaded");
	return cut === "running" ? text : text.assistant(reply);
}

const noteOf = (next: NextStep[]): Note => ({
	generator: { type: "llm", provider: "acme", model: "m-1" },
	text: "The date parser is being made strict; npm test shows 43 passed.",
	headline: "Strict date parser",
	bullets: ["npm test: 43 passed"],
	next,
});

const DETAILS = { now: 0, kind: "session" as const, cwd: shell.cwd, checkout: undefined, words: ENGLISH };

async function place(
	id: string,
	end: End,
	stored: (typeof STORED)[number],
	name: string | undefined,
): Promise<string> {
	const text = stateText(id, end);
	if (name !== undefined) text.name(name);
	const path = shell.session(id, text);
	const reading = await readingAt(path, shell.cwd);
	const { kind = "step", words } = end;
	const note = noteOf(words === undefined ? [] : [{ kind, text: words }]);
	const made = (more: { note?: Note } = {}) => ({
		...makeRecord(reading, { ...DETAILS, ...more }),
		id: `r-${id}`,
	});
	const { next_kinds: _, ...old } = made();
	const records: Record<(typeof STORED)[number], SessionRecord | undefined> = {
		nothing: undefined,
		// An interrupted run has an open request, so a note's next step is left out.
		"a note": made({ note: end.cut ? { ...note, next: undefined } : note }),
		"an empty note": made({ note: { ...note, next: end.cut ? undefined : [] } }),
		offline: made(),
		edited: {
			...made(),
			...{ generator: { type: "user_edited" }, next_actions: ["Ask Ada"], next_kinds: ["step"] },
		},
		old: { ...old, next_actions: ["Write the documentation of the parser"] },
		outdated: { ...made(), next_actions: ["Rename the parser"], last_message_id: text.ids[2] ?? "" },
	};
	const data = records[stored];
	if (data) text.custom(RECAP_ENTRY, data);
	return shell.session(id, text);
}

interface Listed {
	id: string;
	waits: boolean;
	next: string | null;
	next_kind: NextStep["kind"] | null;
}

test("every surface shows the same next step for a state, or none", async () => {
	// `today` lists at most 60 sessions, so a quarter of the combinations is left out.
	const states: { id: string; stored: string; at: number; path: string }[] = [];
	for (const [at, end] of ENDS.entries())
		for (const [index, stored] of STORED.entries()) {
			if ((at + index) % 4 === 3) continue;
			const id = `s${at}${index}-state`;
			const name = (at + index) % 3 === 0 ? `Dates ${at}${index}` : undefined;
			states.push({ id, stored, at, path: await place(id, end, stored, name) });
		}
	expect(states.length).toBeGreaterThanOrEqual(50);
	// A session's next step must be the same when a process has the session open.
	const closed: Listed[] = (await shell.json("list --json")).sessions;
	const leases = states.flatMap(({ id, path }, at) => {
		const other = (["idle", "finished", "failed"] as const)[at % 6];
		const isWaiting = closed.some((one) => one.id === id && one.waits);
		return other ? [shell.open(id, isWaiting ? "waiting" : other, path)] : [];
	});
	const live = openLeases(shell.agentDir, Date.now());
	expect(live.length).toBe(leases.length);
	const listed: Listed[] = (await shell.json("list --json")).sessions;
	const today = (await shell.run(["today", "--since", "2026-01-01", "--markdown"])).out.split(/^## /m);
	const summaries = await listSessions({ agentDir: shell.agentDir, folders: undefined });
	const { server, tokens } = await serveFolder(shell.agentDir);
	const serving = new Serving(server.port, tokens);
	const differences: unknown[] = [];
	try {
		for (const { id, stored, at, path } of states) {
			const shown = await surfaces(id, path);
			const { expected, texts, exact, absent } = shown;
			const what = `${ENDS[at]?.words ?? ENDS[at]?.cut ?? "nothing open"}, ${stored}`;
			for (const [surface, value] of Object.entries(exact))
				if (value !== (expected ?? null)) differences.push({ what, surface, value, expected });
			for (const [surface, text] of Object.entries(texts)) {
				const isShown = expected !== undefined && letters(text).includes(letters(expected));
				const others = absent.filter((one) => letters(text).includes(letters(one)));
				if (expected === undefined && /^\s*(?:- )?(?:→ |Open: )/m.test(text)) others.push("a label");
				if (isShown !== (expected !== undefined) || others.length > 0)
					differences.push({ what, surface, expected, others, text: text.replace(/ {2,}|\n\s*\n/g, " ") });
			}
		}
	} finally {
		for (const lease of leases) lease.release();
		await server.close();
	}
	expect(differences).toEqual([]);

	async function surfaces(id: string, path: string) {
		const sessionManager = SessionManager.open(path, shell.cwd);
		const prepared = new SessionRecords({
			host: hostSession({ sessionManager, cwd: shell.cwd }),
			repository: { last: undefined },
			words: () => ENGLISH,
			minMessages: () => 0,
			...{ log: () => undefined, append: () => undefined },
		}).prepared();
		const summary = summaries.find((one) => one.id === id);
		const json = listed.find((one) => one.id === id);
		if (!prepared || !summary || !json) throw new Error(`${id} was not read`);
		const { shown, reading } = prepared;
		const point = openOf(shown).next;
		const whole = wholeStep(prepared, point);
		const [row = rowOf(summary, true)] = withLive([rowOf(summary, true)], live);
		const described = await describeSession(summary, { now: Date.now, words: () => ENGLISH });
		if (!described.ok) throw new Error(described.detail);
		const { board } = new TestBoard({ rows: [row] });
		board.end();
		const wide = { list: board.list, width: 400, now: 0, widest: { title: 80, note: 1_000 } };
		const [item] = board.list.items;
		const show = await shell.json(["show", id, "--json"]);
		const http = (await serving.ask(`/v1/sessions/${id}`)).json;
		const { name } = reading.timeline;
		const card = cardContent({ recap: shown, at: 0, now: 0, repository: "", words: ENGLISH, name });
		const text = (pieces: readonly { text: string }[]) => pieces.map((one) => one.text).join("");
		const first = (next: unknown) => (Array.isArray(next) ? (next[0] ?? null) : next);
		const kind = point?.kind ?? null;
		const isNote = shown.generator.type === "llm";
		const isCut = point?.kind === "cut_short";
		const isFailed = row.ending?.outcome === "error";
		const texts: Record<string, string> = {
			...(whole && { "alt+n": stepPrompt(whole) }),
			"--fresh": resumePrompt(shown, whole, { isFresh: true }),
			// A note's sentences say what comes next, and a failure is more important than the interrupted
			// request.
			...(!isNote && { widget: bodyLines(shown, ENGLISH).join("\n") }),
			...(!isFailed && item && { row: text(itemLine(item, false, wide)) }),
			preview: previewLines(board.list, { described }, { width: 400, lines: 40, now: 0 })
				.map(text)
				.join("\n"),
			show: (await shell.run(["show", id])).out,
			today: today.find((one) => one.includes(row.title)) ?? "",
			// If a request was interrupted, the headline is that request.
			card: [card.headline, ...card.next].join("\n"),
		};
		if (isCut) delete texts["row"];
		const others = ["Ask Ada", "Rename the parser", "Write the documentation of the parser"];
		const known = [...ENDS.flatMap(({ words }) => words ?? []), ...others];
		const exact = {
			list: json.next,
			"list, kind": json.next_kind === kind ? (point?.text ?? null) : json.next_kind,
			"show, session": show.session.next,
			"show, recap": first(show.recap.next_actions),
			"http, session": http.session.next,
			"http, recap": first(http.recap.next_actions),
			"waits, list":
				json.waits === (shown.outcome === "waiting") ? (point?.text ?? null) : `waits: ${json.waits}`,
		};
		// The offline text may quote the reply.
		const quoted = goalPrompt(shown, { goal: "go", related: [], session: undefined });
		const absent = known.filter(
			(one) => ![point?.text ?? "", quoted].some((text) => letters(text).includes(letters(one))),
		);
		return { expected: point?.text, texts, exact, absent };
	}
});

test("a session of another agent is handed over with the next step that every other surface shows", async () => {
	const logs: { id: string; stored: string; path: string; words: string | undefined }[] = [];
	for (const [at, { reply, kind, words }] of ENDS.entries())
		for (const [index, stored] of ["nothing", "a note", "an empty note"].entries()) {
			if (reply === undefined) continue;
			const id = `0c1a0de0-aaaa-4bbb-8ccc-0000000000${at}${index}`;
			const log = new ClaudeLog({ id, cwd: shell.cwd })
				.user(`Make the date parser of session ${id} strict`)
				.calls("t1", "Bash", { command: "npm test" })
				.result("t1", "Tests  43 passed (43)")
				.says(reply);
			const path = put(join(folder(), "claude", "projects", "p", `${id}.jsonl`), String(log));
			const reading = await readingAt(path, shell.cwd);
			const next: NextStep[] = stored === "a note" && kind && words ? [{ kind, text: words }] : [];
			const record = makeRecord(reading, { ...DETAILS, note: noteOf(next) });
			if (stored !== "nothing") keepNote(shell.agentDir, path, record);
			logs.push({ id, stored, path, words });
		}
	put(join(shell.agentDir, "session-suite.json"), '{ "agents": ["claude-code"] }');
	const env = { ...process.env, CLAUDE_CONFIG_DIR: join(folder(), "claude") };
	const listed: Listed[] = (await shell.json("list --json --all", { env })).sessions;
	for (const { id, stored, path, words } of logs) {
		const json = listed.find((one) => one.id === id);
		const handed = await handOverFile({ path, id }, Date.now(), shell.agentDir);
		if (!json || !handed.ok) throw new Error(`${id} was not read`);
		const shown = await shell.run(["show", id], { env });
		const [, step = ""] = handed.prompt.split(/<\/earlier-session-\w+>\n/);
		const context = `${stored}: ${words}`;
		expect(letters(step), context).toBe(letters(json.next ?? ""));
		expect(letters(shown.out), context).toContain(letters(json.next ?? ""));
		const opened = await sessionAt(path, shell.agentDir);
		// Without a note, the next step is read only for lists.
		if (stored !== "nothing") expect((opened && viewOf(opened).next?.text) ?? null, context).toBe(json.next);
		if (stored === "a note") expect(json.next, context).toBe(words ?? null);
	}
});
