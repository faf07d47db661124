import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SAMPLE_PROJECT } from "../test/host/sample-project.ts";
import { createSandbox, type Sandbox } from "../test/host/sandbox.ts";
import { ScriptedModel } from "../test/host/scripted-model.ts";
import { yesterdaySession } from "../test/host/yesterday-session.ts";
import { otherSessions } from "./other-sessions.ts";
import { demoAgent, demoRecap, demoTitle } from "./script.ts";

/** The demo's model, and a private home, project and session for the host. */
export interface DemoWorld {
	model: ScriptedModel;
	sandbox: Sandbox;
	/** Stop the model and remove every file. */
	remove(): Promise<void>;
}

/** Opens the sample session, with times that suit an impatient visitor. */
export const DEMO_ARGS = [
	"-c",
	...["--recap-away-seconds", "15"],
	...["--recap-focus-min-seconds", "1"],
	...["--recap-idle-seconds", "20"],
];

export interface DemoOptions {
	/** The host's theme. Default: its own. */
	theme?: string;
	/** With other sessions of the project, as a board has them. Default: the one of yesterday only. */
	isBusy?: boolean;
}

export async function createDemoWorld({ theme, isBusy }: DemoOptions = {}): Promise<DemoWorld> {
	const model = await ScriptedModel.start();
	model.always("agent", demoAgent).always("recap", demoRecap).always("title", demoTitle);
	const sandbox = createSandbox({
		modelUrl: model.url,
		projectName: "date-parser",
		files: SAMPLE_PROJECT,
		sessions: [...(isBusy ? otherSessions() : []), yesterdaySession],
		...(theme !== undefined && { settings: { theme } }),
	});
	placeSearchTools(sandbox.agentDir);
	const remove = async (): Promise<void> => {
		await model.close();
		sandbox.remove();
	};
	return { model, sandbox, remove };
}

/**
 * The host looks for its search tools fd and rg, and complains offline where they are missing. The sample's script
 * never searches, so empty ones do, and the first thing that a visitor sees is not a complaint.
 */
function placeSearchTools(agentDir: string): void {
	if (process.platform === "win32") return;
	const folder = join(agentDir, "bin");
	mkdirSync(folder, { recursive: true });
	for (const name of ["fd", "rg"]) writeFileSync(join(folder, name), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
}
