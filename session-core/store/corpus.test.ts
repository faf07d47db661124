import { copyFileSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { SessionManager } from "@mariozechner/pi-coding-agent";
import { describe, expect, it } from "vitest";
import type { Entry } from "../session/entry.ts";
import { UNREADABLE } from "./entries.ts";
import { openSessionFile, type SessionFile } from "./session-file.ts";
import { useTemporaryFolder } from "./store.test-support.ts";
import { summarize } from "./summarize.ts";

const corpus = fileURLToPath(new URL("../../../shared/sessions/", import.meta.url));
const folder = useTemporaryFolder();

/** Recorded event streams begin like sessions and are none. */
const STREAMS = ["mattpocock-sandcastle/stream-stdout.jsonl"];

function files(): string[] {
	if (!existsSync(corpus)) return [];
	const names = readdirSync(corpus, { recursive: true, encoding: "utf8" });
	return names.filter((name) => name.endsWith(".jsonl") && !STREAMS.includes(name));
}

function opened(path: string): SessionFile {
	const outcome = openSessionFile(path, { wholeBytes: Number.MAX_SAFE_INTEGER });
	if (!outcome.ok) throw new Error(outcome.detail);
	return outcome.session;
}

/** The host rewrites old versions when it opens them: it gets a copy. */
function copied(name: string): string {
	const copy = join(folder(), "sessions", basename(name));
	mkdirSync(join(folder(), "sessions"));
	copyFileSync(join(corpus, name), copy);
	return copy;
}

const isReadable = (entry: Entry) => entry.type !== UNREADABLE;

describe.skipIf(!existsSync(corpus)).each(files())("the real session %s", (name) => {
	it("is read as the host reads it, or better", () => {
		const ours = opened(join(corpus, name));
		const host = SessionManager.open(copied(name));
		const version1 = ours.header?.version === 1;
		// Where a line has no id, we make one up from its place, and the host has none or another each time.
		const told = ({ id, parentId, ...rest }: Partial<Entry>) =>
			JSON.stringify(version1 || !id || id.startsWith("@") ? rest : { id, parentId, ...rest });
		const found = ours.getEntries().filter(isReadable).map(told);
		// Migrating version 1, the host changes compactions.
		const expected = host.getEntries().filter((entry) => !version1 || entry.type !== "compaction");
		expect(expected.map((entry) => told({ ...entry })).filter((one) => !found.includes(one))).toEqual([]);
		if (ours.badLines === 0 && !version1) expect(found).toHaveLength(host.getEntries().length);
		if (!version1) expect(ours.getLeafEntry()?.id).toBe(host.getLeafId());
		expect(ours.header?.id).toBe(host.getSessionId());
	});

	it("is summarised as the host lists it", async () => {
		const [listed] = await SessionManager.list("/", join(copied(name), ".."));
		const outcome = summarize(join(corpus, name));
		if (!outcome.ok) throw new Error(outcome.detail);
		const { id, cwd, created, messageCount } = outcome.record.summary;
		expect({ id, cwd, created }).toEqual({
			id: listed?.id,
			cwd: listed?.cwd,
			created: listed?.created.getTime(),
		});
		if (messageCount !== undefined) expect(messageCount).toBeGreaterThanOrEqual(listed?.messageCount ?? 0);
		if (outcome.record.summary.nameSettled && !listed?.name)
			expect(outcome.record.summary.name).toBeUndefined();
	});

	it("is summarised, and kept, in little room", () => {
		const outcome = summarize(join(corpus, name));
		expect(JSON.stringify(outcome).length).toBeLessThan(2_500);
	});
});

describe.skipIf(!existsSync(corpus))("what is known of real sessions", () => {
	it("the second of two objects glued together in line 440 is there", () => {
		const session = opened(join(corpus, "badlogic-pi-mono/session.jsonl"));
		expect(session.badLines).toBe(0);
		const glued = session.getEntries().filter((entry) => /^@.*\.1$/.test(entry.id));
		expect(glued).toMatchObject([{ type: "message", message: { role: "user" } }]);
	});

	it.each(["02-inline", "03-raddit", "04-awesome"])(
		"the chain of parents holds across the bad line of %s",
		(name) => {
			const session = opened(join(corpus, `pinion05-agent-complex-task/${name}.jsonl`));
			expect(session.badLines).toBe(1);
			const orphans = session.getEntries().filter(({ parentId }) => parentId && !session.getEntry(parentId));
			expect(orphans).toEqual([]);
		},
	);

	it.each(STREAMS)("%s is an event stream, no session", (name) => {
		expect(openSessionFile(join(corpus, name))).toMatchObject({ ok: false, reason: "not_session" });
		expect(summarize(join(corpus, name))).toMatchObject({ ok: false, reason: "not_session" });
	});
});
