import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { session } from "../../test/host/fixtures.ts";
import { openProcess, type Process } from "../../test/title/manager-ports.ts";
import { finish, mendName, nameSession, seenName, type Wish } from "./write.ts";

const folder = mkdtempSync(join(tmpdir(), "names-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let serial = 0;
const fixture = session().user("fix the login redirect loop").assistant("Fixed it.").build();

function newSession(text = fixture): string {
	serial += 1;
	const path = join(folder, `${serial}.jsonl`);
	writeFileSync(path, text);
	return path;
}

const AUTO: Wish = {
	data: { title: "Fix login redirect loop", source: "auto", model: "p/m", replaces: null },
	unless: "named",
	seen: null,
};
const typed = (title: string): Wish => ({ data: { title, source: "manual" }, unless: "never", seen: null });

/** One party: each call does its next step; true once nothing is left to do. */
type Party = () => boolean;

function namer(process: Process, wish: Wish): Party {
	const steps = nameSession(process.ports, wish);
	return () => steps.next().done === true;
}

function once(act: () => void): Party {
	let isDone = false;
	return () => {
		if (!isDone) act();
		isDone = true;
		return true;
	};
}

/** Every order of up to `a` steps of one party and `b` of the other; fewer steps than it has mean that it was killed. */
function* schedules(a: number, b: number): Generator<string> {
	yield "";
	if (a > 0) for (const rest of schedules(a - 1, b)) yield `a${rest}`;
	if (b > 0) for (const rest of schedules(a, b - 1)) yield `b${rest}`;
}

const allSchedules = (a: number, b: number): string[] => [...new Set(schedules(a, b))];

function names(path: string): string[] {
	return lines(path).flatMap((entry) => (entry.type === "session_info" ? [String(entry.name)] : []));
}

function lines(path: string): { type: string; id: string; name?: string }[] {
	// Throws on a line that is not whole.
	return readFileSync(path, "utf8")
		.trimEnd()
		.split("\n")
		.map((line) => JSON.parse(line));
}

/** What somebody sees who opens the session now: by the host alone, and with us mending it. */
function reopened(path: string): { host: string | undefined; mended: string | undefined } {
	const process = openProcess(path);
	const host = process.manager.getSessionName();
	finish(mendName(process.ports));
	return { host, mended: openProcess(path).manager.getSessionName() };
}

describe("an automatic title and a person's name in another process, in every order of their steps", () => {
	const people: [string, number, (process: Process) => Party][] = [
		["the host's own /name", 1, ({ manager }) => once(() => manager.appendSessionInfo("mine"))],
		["our /rename", 4, (process) => namer(process, typed("mine"))],
	];
	test.each(people)("%s stands, also where either is killed in between", (_, steps, person) => {
		let killed = 0;
		for (const schedule of allSchedules(5, steps)) {
			const path = newSession();
			const [a, b] = [openProcess(path), openProcess(path)];
			const parties: Record<string, Party> = { a: namer(a, AUTO), b: person(b) };
			const done: Record<string, boolean> = {};
			for (const next of schedule) done[next] = parties[next]?.() ?? false;
			const isNamed = names(path).includes("mine");
			const seen = reopened(path);
			if (!isNamed) continue;
			expect(seen.mended, schedule).toBe("mine");
			if (done["a"] !== false) expect(seen.host, schedule).toBe("mine");
			else killed++;
		}
		expect(killed).toBeGreaterThan(0);
	});

	test("what the other process said meanwhile is not hidden from whoever opens the session next", () => {
		for (const schedule of allSchedules(5, 2)) {
			const path = newSession();
			const [a, b] = [openProcess(path), openProcess(path)];
			const acts = [
				() => b.manager.appendMessage({ role: "user", content: "and now?", timestamp: 0 }),
				() => b.manager.appendSessionInfo("mine"),
			];
			const auto = namer(a, AUTO);
			let isDone = true;
			for (const next of schedule) {
				if (next === "a") isDone = auto();
				else acts.shift()?.();
			}
			// A killed process may leave its title at the end; the branch is only promised where it was not.
			if (!isDone) continue;
			const texts = openProcess(path)
				.manager.getBranch()
				.map((entry) => JSON.stringify(entry));
			const isSaid = lines(path).some((entry) => JSON.stringify(entry).includes("and now?"));
			expect(
				texts.some((text) => text.includes("and now?")),
				schedule,
			).toBe(isSaid);
		}
	});

	test("two automatic titles at once: one stands, and is known to be automatic", () => {
		for (const schedule of allSchedules(4, 4)) {
			const path = newSession();
			const [a, b] = [openProcess(path), openProcess(path)];
			const other: Wish = { ...AUTO, data: { ...AUTO.data, title: "Stop redirect loop at login" } };
			const parties: Record<string, Party> = { a: namer(a, AUTO), b: namer(b, other) };
			const done: Record<string, boolean> = { a: true, b: true };
			for (const next of schedule) done[next] = parties[next]?.() ?? false;
			if (!done["a"] || !done["b"] || names(path).length === 0) continue;
			const { manager, ports } = openProcess(path);
			const last = ports.records().findLast(({ kind }) => kind === "title");
			expect(last, schedule).toMatchObject({ data: { title: manager.getSessionName(), source: "auto" } });
			expect(reopened(path).mended, schedule).toBe(manager.getSessionName());
		}
	});
});

describe("an automatic title is not written", () => {
	const attempt = (path: string, before: (other: Process) => void) => {
		const mine = openProcess(path);
		before(openProcess(path));
		return finish(nameSession(mine.ports, AUTO));
	};

	test("where another process has named the session", () => {
		const path = newSession();
		const outcome = attempt(path, ({ manager }) => manager.appendSessionInfo("theirs"));
		expect(outcome).toEqual({ ok: false, reason: "named_meanwhile" });
		expect(names(path)).toEqual(["theirs"]);
	});

	test("where a name was taken away: that is a choice, too", () => {
		const outcome = attempt(newSession(), ({ manager }) => manager.appendSessionInfo(""));
		expect(outcome).toEqual({ ok: false, reason: "named_meanwhile" });
	});

	test("where another process has gone on with the session", () => {
		const path = newSession();
		const outcome = attempt(path, ({ manager }) => {
			manager.appendMessage({ role: "user", content: "more", timestamp: 0 });
		});
		expect(outcome).toEqual({ ok: false, reason: "moved_on" });
		expect(names(path)).toEqual([]);
	});

	test("behind a torn last line, where nobody can tell whose it is", () => {
		const path = newSession(`${fixture}{"type":"message","id":"`);
		expect(attempt(path, () => undefined)).toEqual({ ok: false, reason: "moved_on" });
	});
});

describe("asked for with --auto", () => {
	test("it replaces the name that was there, and not one that a person set meanwhile", () => {
		const path = newSession();
		const mine = openProcess(path);
		finish(nameSession(mine.ports, typed("first")));
		const seen = seenName(mine.ports);
		const wish: Wish = { data: { ...AUTO.data, replaces: seen }, unless: "renamed", seen };
		expect(finish(nameSession(mine.ports, wish))).toEqual({ ok: true });
		expect(mine.manager.getSessionName()).toBe(AUTO.data.title);
		expect(reopened(path).mended).toBe(AUTO.data.title);
		openProcess(path).manager.appendSessionInfo("theirs");
		expect(finish(nameSession(mine.ports, wish))).toEqual({ ok: false, reason: "named_meanwhile" });
		expect(reopened(path)).toEqual({ host: "theirs", mended: "theirs" });
	});

	test("an automatic title that landed meanwhile does not stop it", () => {
		const path = newSession();
		const mine = openProcess(path);
		const wish: Wish = { ...AUTO, unless: "renamed" };
		finish(nameSession(openProcess(path).ports, { ...AUTO, data: { ...AUTO.data, title: "Another one" } }));
		expect(finish(nameSession(mine.ports, wish))).toEqual({ ok: true });
	});
});

describe("a name that the user typed", () => {
	test("is set in a tab that another one has left behind, without hiding what was said there", () => {
		const path = newSession();
		const mine = openProcess(path);
		const other = openProcess(path);
		other.manager.appendMessage({ role: "user", content: "said elsewhere", timestamp: 0 });
		expect(finish(nameSession(mine.ports, typed("mine")))).toEqual({ ok: true });
		const fresh = openProcess(path);
		expect(fresh.manager.getSessionName()).toBe("mine");
		expect(JSON.stringify(fresh.manager.getBranch())).toContain("said elsewhere");
	});

	test("stays on the branch that the user went to with /tree", () => {
		const path = newSession();
		const { manager, ports } = openProcess(path);
		const user = manager.getEntries().find(({ type }) => type === "message");
		manager.branch(user?.id ?? "");
		finish(nameSession(ports, typed("mine")));
		expect(
			openProcess(path)
				.manager.getBranch()
				.map(({ type }) => type),
		).toEqual(manager.getBranch().map(({ type }) => type));
	});

	test("is kept in memory until the host writes the file", () => {
		const path = join(folder, "unborn.jsonl");
		const { manager, ports } = openProcess(path);
		expect(finish(nameSession(ports, typed("early")))).toEqual({ ok: true });
		expect(manager.getSessionName()).toBe("early");
	});
});

describe("mending", () => {
	test("happens once and leaves a name alone that nobody lost", () => {
		const path = newSession();
		finish(nameSession(openProcess(path).ports, AUTO));
		const before = readFileSync(path, "utf8");
		expect(reopened(path).mended).toBe(AUTO.data.title);
		expect(readFileSync(path, "utf8")).toBe(before);
	});
});
