import { join } from "node:path";
import { SessionManager } from "@mariozechner/pi-coding-agent";
import { describe, expect, it } from "vitest";
import { summarize } from "../sessions/summary.ts";
import { walkBranch } from "./branch.ts";
import { UNREADABLE } from "./entries.ts";
import type { Entry } from "./entry.ts";
import { put, SessionText, useTemporaryFolder, VERSION_1 } from "./session.test-support.ts";
import { openSessionFile, readWholeSession } from "./session-file.ts";

const folder = useTemporaryFolder();
const talk = () => new SessionText().user("Fix the parser").assistant("Done.").name("Parser");

/** The session with a line whose end is lost, as after a crash. */
function torn(text: SessionText, index: number): SessionText {
	text.lines[index] = text.lines[index]?.slice(0, -40) ?? "";
	return text;
}

const message = (fields: object) => ({ type: "message", timestamp: "2025-11-01T10:00:01Z", ...fields });

const SESSIONS: Record<string, string> = {
	"with names, titles and other entries": `${talk()
		.title("Parser", "auto")
		.entry("model_change", { provider: "acme", modelId: "m-2" })
		.entry("compaction", { summary: "…", firstKeptEntryId: "e0000000", tokensBefore: 1 })}`,
	"with two branches": `${talk()
		.raw(message({ id: "b1", parentId: "e0000000", message: { role: "user", content: "Other way" } }))
		.raw(message({ id: "b2", parentId: "b1", message: { role: "user", content: "And on" } }))}`,
	"of version 1": `${VERSION_1.join("\n")}\n`,
	"of version 2": `${new SessionText({ version: 2 })
		.entry("message", { message: { role: "hookMessage", content: "Hook" } })
		.user("Fix it")}`,
	"with a torn line in the middle": `${torn(talk(), 2)}`,
	"with a torn last line": `${talk()}{"type":"message","id":"x1","parentId":"e00`,
};

describe.each(Object.entries(SESSIONS))("a session %s", (_, text) => {
	it("is read as the host reads it, or better", async () => {
		const path = put(join(folder(), "one.jsonl"), text);
		const opened = await readWholeSession(path);
		if (!opened.ok) throw new Error(opened.detail);
		const recent = await openSessionFile(path);
		const ids = (entries: readonly Entry[]) => entries.map(({ id }) => id);
		expect(recent.ok && ids(recent.session.slice.entries)).toEqual(ids(walkBranch(opened.session).entries));
		// The host rewrites files in old versions when it opens them, so it gets a copy.
		const host = SessionManager.open(put(join(folder(), "copy.jsonl"), text));
		// Entries of version 1 have no ids: ours are derived from the offset, and the host's are random.
		const isOld = opened.session.header?.version === 1;
		const comparable = ({ id, parentId, ...rest }: Partial<Entry>) =>
			JSON.stringify(isOld ? rest : { id, parentId, ...rest });
		const ours = opened.session.getEntries().filter(({ type }) => type !== UNREADABLE);
		expect(ours.map(comparable)).toEqual(host.getEntries().map((entry) => comparable({ ...entry })));
		expect(opened.session.header?.id).toBe(host.getSessionId());
		if (!isOld) expect(opened.session.getLeafEntry()?.id).toBe(host.getLeafId());
		const orphans = ours.filter(({ parentId }) => parentId && !opened.session.getEntry(parentId));
		expect(orphans).toEqual([]);
	});

	it("has a short summary that agrees with the host's list", async () => {
		const path = put(join(folder(), "sessions", "one.jsonl"), text);
		const outcome = summarize(path);
		const [listed] = await SessionManager.list("/", join(folder(), "sessions"));
		if (!outcome.ok) throw new Error(outcome.detail);
		const { id, cwd, created, name } = outcome.record.summary;
		expect({ id, cwd, created, name }).toEqual({
			id: listed?.id,
			cwd: listed?.cwd,
			created: listed?.created.getTime(),
			name: listed?.name,
		});
		expect(JSON.stringify(outcome).length).toBeLessThan(2_500);
	});
});
