import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LeaseHolder } from "../session-core/live/lease-files.ts";
import type { SessionText } from "../session-core/session-file/session-text.test-support.ts";
import { session } from "../test/host/fixtures.ts";
import { SAMPLE_PROJECT } from "../test/host/sample-project.ts";
import { createSandbox, type Sandbox } from "../test/host/sandbox.ts";
import { ScriptedModel } from "../test/host/scripted-model.ts";
import { yesterdaySession } from "../test/host/yesterday-session.ts";
import { demoAgent, demoRecap, demoTitle } from "./script.ts";

export const WELCOME = `
pi-session-suite: the real pi 0.73.1 with this package and
a scripted model on 127.0.0.1. It needs no API key, sends
nothing, and removes its files when you quit.

It opens yesterday's session. The card above the editor
shows its state: at once without a model, a moment later
in the model's words. Then try:

  run the tests      Look at another window until they are
                     done, then come back for the recap.
                     The session names itself.
  throw a RangeError instead
                     The agent edits and tests the project.
  /resume-here       Put the next step into the editor.
  /sessions          See all sessions; one waits for you.
  /recap   /recap status   /recap doctor   /rename mine
  /quit              Leave.

In tmux, the recap after a return needs focus reports:
  tmux set -g focus-events on
`;

/** The demo's model, and a private home folder, project and session for the host. */
export interface DemoWorld {
	model: ScriptedModel;
	sandbox: Sandbox;
	/** Stops the model and removes all files. */
	remove(): Promise<void>;
}

/** Command-line arguments that open the sample session with short waiting times. */
export const DEMO_ARGS = [
	"-c",
	...["--recap-away-seconds", "15"],
	...["--recap-focus-min-seconds", "1"],
	...["--recap-idle-seconds", "20"],
];

/** Creates the files of the demo. `theme` is the host's theme; by default, the host chooses. */
export async function createDemoWorld(theme?: string): Promise<DemoWorld> {
	const model = await ScriptedModel.start();
	model.always("agent", demoAgent).always("recap", demoRecap).always("title", demoTitle);
	const folders = createSandbox({
		modelUrl: model.url,
		projectName: "date-parser",
		files: SAMPLE_PROJECT,
		sessions: [...otherSessions(), yesterdaySession],
		...(theme !== undefined && { settings: { theme } }),
	});
	// The host shows the project and the agent folder as they would be in the user's home folder.
	const sandbox = { ...folders, home: folders.root };
	placeSearchTools(sandbox.agentDir);
	holdWaitingSession(sandbox);
	const remove = async (): Promise<void> => {
		await model.close();
		sandbox.remove();
	};
	return { model, sandbox, remove };
}

/** Takes the lease of one session for this process, as if the session were open in another tab and waiting for the user. */
function holdWaitingSession({ agentDir, cwd, placed }: Sandbox): void {
	const sessionFile = placed.find((path) => path.includes(WAITING_ID));
	if (sessionFile === undefined) return;
	const session = { sessionId: WAITING_ID, sessionFile, cwd };
	new LeaseHolder(agentDir, session, "needs_you", statSync(sessionFile).mtimeMs).claim();
}

/**
 * Creates empty programs named fd and rg, because the host warns if they are missing and cannot be downloaded. The scripted model never
 * searches.
 */
function placeSearchTools(agentDir: string): void {
	if (process.platform === "win32") return;
	const folder = join(agentDir, "bin");
	mkdirSync(folder, { recursive: true });
	for (const name of ["fd", "rg"]) writeFileSync(join(folder, name), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
}

const HOUR = 3_600_000;
const idOf = (serial: number) => `0195a1b2-c3d4-7000-8000-${String(serial).padStart(12, "0")}`;
const WAITING_ID = idOf(12);

/** Returns other sessions of the sample project, oldest first. */
function otherSessions(now = Date.now()): string[] {
	const ago = (hours: number, serial: number): SessionText =>
		session({
			id: idOf(serial),
			startedAt: new Date(now - hours * HOUR),
		});
	return [
		ago(120, 11)
			.name("Week numbers after ISO 8601")
			.user("add ISO week numbers")
			.assistant("They are in; all tests pass."),
		ago(75, 12)
			.name("Retry queue in SQLite")
			.user("move the retry queue to SQLite")
			.assistant("The queue lives in SQLite now. Shall I drop the old table?"),
		ago(52, 13).user("why is the nightly build slow?").assistant("The cache key changes with every run."),
		ago(49, 14)
			.name("Release notes 2.4")
			.user("write the release notes for 2.4")
			.assistant("Draft is in NOTES.md."),
	].map((builder) => builder.build());
}
