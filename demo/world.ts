import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SAMPLE_PROJECT } from "../test/host/sample-project.ts";
import { createSandbox, type Sandbox } from "../test/host/sandbox.ts";
import { ScriptedModel } from "../test/host/scripted-model.ts";
import { yesterdaySession } from "../test/host/yesterday-session.ts";
import { AgentFolder } from "../test/serve/agent-folder.ts";
import { placeSampleBoard } from "../test/serve/sample-board.ts";
import { demoAgent, demoRecap } from "./script.ts";

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
  /sessions          See all sessions; some are waiting.
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

/** Command-line arguments that open the sample session and shorten the waiting times. */
export const DEMO_ARGS = [
	"-c",
	...["--recap-away-seconds", "15"],
	...["--recap-focus-min-seconds", "1"],
	...["--recap-idle-seconds", "20"],
];

/** Creates the files of the demo. `theme` is the host's theme; by default, the host chooses. */
export async function createDemoWorld(theme?: string): Promise<DemoWorld> {
	const model = await ScriptedModel.start();
	model.always("agent", demoAgent).always("recap", demoRecap);
	const folders = createSandbox({
		modelUrl: model.url,
		projectName: "date-parser",
		files: SAMPLE_PROJECT,
		sessions: [yesterdaySession],
		...(theme !== undefined && { settings: { theme } }),
	});
	// The host shows the project and the agent folder as they would be in the user's home folder.
	const sandbox = { ...folders, home: folders.root };
	placeSearchTools(sandbox.agentDir);
	placeSampleBoard(new AgentFolder(sandbox.agentDir), sandbox.cwd);
	// `pi -c` opens the session whose file was modified last.
	for (const path of sandbox.placed) utimesSync(path, new Date(), new Date());
	const remove = async (): Promise<void> => {
		await model.close();
		sandbox.remove();
	};
	return { model, sandbox, remove };
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
