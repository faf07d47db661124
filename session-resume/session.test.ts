import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SessionManager } from "@mariozechner/pi-coding-agent";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createStateReader } from "../session-core/hub/commons.ts";
import { hostSession } from "../session-core/hub/host-session.ts";
import { loadSettings } from "../session-core/settings/load.ts";
import { session as log } from "../test/host/fixtures.ts";
import { createResumeSession, type Happening } from "./session.ts";

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "session-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Opens a session with a history, and returns how often its card was shown after these happenings and the start. */
function cardsAfter(...happenings: Happening[]): number {
	const file = join(folder, "session.jsonl");
	writeFileSync(
		file,
		log({ cwd: folder }).user("fix the date parser in src/parse.ts").assistant("Done.").build(),
	);
	const manager = SessionManager.open(file, folder);
	const { settings } = loadSettings({ agentDir: folder, cwd: folder });
	let shown = 0;
	const nothing = () => undefined;
	const session = createResumeSession({
		pi: { appendEntry: nothing },
		ctx: { isIdle: () => true, model: undefined },
		host: hostSession({ sessionManager: manager, cwd: folder }),
		shared: { recap: undefined },
		settings: () => settings,
		commons: {
			language: "en",
			log: nothing,
			state: createStateReader({ sessionManager: manager, cwd: folder }, nothing),
		},
		screen: {
			isTerminal: () => true,
			show: () => void shown++,
			hide: nothing,
			asking: nothing,
			answered: nothing,
			say: nothing,
			isTyped: () => false,
			typed: () => "",
			fillEditor: nothing,
			keepTyped: nothing,
		},
		recordRequest: { start: nothing, drop: nothing },
		isDamaged: () => false,
	});
	for (const happening of happenings) session.happened(happening);
	session.start({ reopened: true });
	session.end({ write: false });
	return shown;
}

test("the card of an opened session is shown", () => {
	expect(cardsAfter()).toBe(1);
});

test("no card is shown under the answer to a prompt with which pi was started", () => {
	expect(cardsAfter("run_started", "settled")).toBe(0);
});
