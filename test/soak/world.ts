import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { WITH_LOG } from "../host/debug-log.ts";
import { session } from "../host/fixtures.ts";
import { SAMPLE_PROJECT } from "../host/sample-project.ts";
import { createSandbox, type Sandbox } from "../host/sandbox.ts";
import { ScriptedModel } from "../host/scripted-model.ts";
import { yesterdaySession } from "../host/yesterday-session.ts";
import { scriptFaults } from "./model-faults.ts";
import { nameFromElsewhere } from "./names.ts";
import { type Random, seeded } from "./random.ts";
import { type Planted, plant } from "./secrets.ts";
import { SessionWatch } from "./session-watch.ts";
import { SETTINGS, SettingsFile } from "./settings.ts";
import { placeEditor } from "./terminal-watch.ts";
import { layTrash } from "./trash.ts";

/** Counters and failures of a run. */
export interface Tally {
	actions: number;
	starts: number;
	ends: Record<string, number>;
	faults: Record<string, number>;
	/** Typed commands that may call a model. */
	typedCalls: number;
	/** Number of actions with the same session open in all tabs. */
	togetherFor: number;
	/** Descriptions of failures. */
	failures: string[];
}

/** What all tabs share: an agent folder, a project and a model. */
export interface World {
	seed: number;
	/** `performance.now()` at which no new action begins. */
	until: number;
	model: ScriptedModel;
	sandbox: Sandbox;
	planted: readonly Planted[];
	watch: SessionWatch;
	tally: Tally;
	/** Damaged files by path, with their content, which must not change. */
	laid: Map<string, Buffer>;
	/** Shared sessions, the newest last; see `meeting.ts`. */
	meetings: string[];
	settings: SettingsFile;
	/** Environment of every host. */
	env: Record<string, string>;
	remove(): Promise<void>;
}

/** Folder of the sandbox in which hosts record what their sessions left behind. */
export const PROBED = "probed";

export async function createWorld(seed: number, seconds: number): Promise<World> {
	const random = seeded(seed);
	const planted = plant(random);
	const model = await ScriptedModel.start();
	const meetings: string[] = [];
	scriptFaults(model, seeded(seed + 1), planted, (about) => nameFromElsewhere(meetings, about));
	const sandbox = createSandbox({
		modelUrl: model.url,
		files: { ...SAMPLE_PROJECT, ".env": `${planted.map(({ text }) => text).join("\n")}\n` },
		suiteSettings: SETTINGS,
		// Escape is pressed to close anything; twice must not open the session tree.
		settings: { doubleEscapeAction: "none" },
		sessions: [
			yesterdaySession,
			(cwd) => leakySession(cwd, planted, random),
			(cwd) => longSession(cwd, planted),
		],
	});
	const watch = new SessionWatch(sandbox);
	watch.look();
	return {
		seed,
		until: performance.now() + seconds * 1000,
		model,
		sandbox,
		planted,
		watch,
		tally: { actions: 0, starts: 0, ends: {}, faults: {}, typedCalls: 0, togetherFor: 0, failures: [] },
		laid: new Map(),
		meetings,
		settings: new SettingsFile(sandbox),
		env: {
			...WITH_LOG,
			...layTrash(sandbox),
			...placeEditor(sandbox),
			SOAK_FOLDER: join(sandbox.root, PROBED),
		},
		remove: async () => {
			await model.close();
			sandbox.remove();
		},
	};
}

/** A session with secrets in prompts, calls and outputs. */
function leakySession(cwd: string, planted: readonly Planted[], random: Random): string {
	const built = session({ cwd, id: randomUUID(), startedAt: hoursAgo(5) });
	for (const { text } of planted) {
		if (random() < 0.5) built.user(`deploy fails with ${text}\nfind out why`).bash("make deploy", "exit", 1);
		else built.user("why does the deploy fail?").bash("cat .env", text);
		built.assistant("The deploy stops before the migration. I have not changed anything yet.");
	}
	return built
		.user("go on with the deploy")
		.write("deploy.env", all(planted))
		.assistant("Wrote deploy.env.")
		.build();
}

function longSession(cwd: string, planted: readonly Planted[]): string {
	const built = session({ cwd, id: randomUUID(), startedAt: hoursAgo(9) });
	for (let turn = 0; turn < 60; turn++) {
		built
			.user(`step ${turn} of the migration`)
			.bash(`./migrate ${turn}`, "ok")
			.assistant(`Step ${turn} is done.`);
	}
	return built.bash("env", all(planted)).assistant("All steps are done. Shall I drop the old table?").build();
}

function all(planted: readonly Planted[]): string {
	return planted.map(({ text }) => text).join("\n");
}

function hoursAgo(hours: number): Date {
	return new Date(Date.now() - hours * 3_600_000);
}
