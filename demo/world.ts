import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type SessionBuilder, session } from "../test/host/fixtures.ts";
import { SAMPLE_PROJECT } from "../test/host/sample-project.ts";
import { createSandbox, type Sandbox } from "../test/host/sandbox.ts";
import { ScriptedModel } from "../test/host/scripted-model.ts";
import { yesterdaySession } from "../test/host/yesterday-session.ts";
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

const HOUR = 3_600_000;

/** Sessions of the sample project, as from work in parallel tabs, the oldest first. */
function otherSessions(now = Date.now()): string[] {
	const ago = (hours: number, serial: number): SessionBuilder =>
		session({
			id: `0195a1b2-c3d4-7000-8000-${String(serial).padStart(12, "0")}`,
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
