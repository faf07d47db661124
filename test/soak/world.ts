import { randomUUID } from "node:crypto";
import {
	chmodSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	writeFileSync,
} from "node:fs";
import { basename, delimiter, join } from "node:path";
import { sessionsRoot } from "../../session-core/sessions/folders.ts";
import { isAlive } from "../../session-core/sessions/live/liveness.mjs";
import { PLANTED } from "../../session-core/text/planted-secrets.test-support.ts";
import { redact } from "../../session-core/text/redact.ts";
import { WITH_LOG } from "../host/debug-log.ts";
import { session } from "../host/fixtures.ts";
import { SAMPLE_PROJECT } from "../host/sample-project.ts";
import { createSandbox, type Sandbox } from "../host/sandbox.ts";
import { ScriptedModel } from "../host/scripted-model.ts";
import { placeSession, readSession } from "../host/session-files.ts";
import { yesterdaySession } from "../host/yesterday-session.ts";
import { leaseList } from "../resume/board-sessions.ts";
import { anyOf, type Random, seeded } from "../support/random.ts";
import { TORN } from "./full-disk.ts";

/** What all tabs share: an agent folder, a project and a model. */
export interface World {
	seed: number;
	/** The time, as returned by `performance.now()`, after which no new action begins. */
	until: number;
	model: ScriptedModel;
	sandbox: Sandbox;
	planted: readonly string[];
	/** Shared sessions, the newest last; see `meetingPoint`. */
	meetings: string[];
	/** The settings file as its user wrote it. */
	settings: string;
	env: Record<string, string>;
	tally: {
		actions: number;
		starts: number;
		ends: Record<string, number>;
		faults: Record<string, number>;
		/** Typed commands that may call a model. */
		typedCalls: number;
		/** Number of actions with the same session open in all tabs. */
		togetherFor: number;
		failures: string[];
	};
	remove(): Promise<void>;
}

export async function createWorld(seed: number, seconds: number): Promise<World> {
	const random = seeded(seed);
	const planted = Array.from({ length: 10 }, () => anyOf(random, TOKENS));
	const model = await ScriptedModel.start();
	const sandbox = createSandbox({
		modelUrl: model.url,
		files: { ...SAMPLE_PROJECT, ".env": planted.map((secret) => `TOKEN=${secret}\n`).join("") },
		// Escape is pressed to close whatever is open, so pressing it twice must not open the session tree.
		settings: { doubleEscapeAction: "none" },
		sessions: [
			yesterdaySession,
			(cwd) => leakySession(cwd, planted, random),
			(cwd) => longSession(cwd, planted),
		],
	});
	const world: World = {
		seed,
		until: performance.now() + seconds * 1000,
		model,
		sandbox,
		planted,
		meetings: [],
		settings: "",
		env: { ...WITH_LOG, ...layTrash(sandbox) },
		tally: { actions: 0, starts: 0, ends: {}, faults: {}, typedCalls: 0, togetherFor: 0, failures: [] },
		remove: async () => {
			await model.close();
			sandbox.remove();
		},
	};
	// A limit that is never reached.
	writeSettings(world, '{\n\t// as the user wrote it\n\t"dailyCostLimit": 50\n}\n');
	return world;
}

export function count(counts: Record<string, number>, name: string): void {
	counts[name] = (counts[name] ?? 0) + 1;
}

export function writeSettings(world: World, text: string): void {
	const path = join(world.sandbox.agentDir, "session-suite.json");
	world.settings = text;
	writeFileSync(`${path}.new`, text);
	renameSync(`${path}.new`, path);
}

/**
 * Long secrets that are recognized without the text around them. JWTs are left out, because they all
 * begin alike.
 */
const TOKENS = PLANTED.flatMap(({ secrets }) => secrets).filter(
	(token) => /^(?!eyJ)[\w.-]{36,200}$/.test(token) && !redact(`It uses ${token}.`).includes(token),
);

/** The secrets in a text, even if clipped at either end or split by whitespace. */
export function leaksIn(text: string, { planted }: World): string[] {
	const dense = text.replace(/\s+/g, "");
	// The first characters may be a prefix, which is not secret.
	return planted.filter(
		(secret) => dense.includes(secret.slice(14, 24)) || dense.includes(secret.slice(-10)),
	);
}

function leakySession(cwd: string, planted: readonly string[], random: Random): string {
	const built = session({ cwd, id: randomUUID(), startedAt: hoursAgo(5) });
	for (const secret of planted) {
		if (random() < 0.5)
			built.user(`deploy fails with ${secret}\nfind out why`).bash("make deploy", "exit", 1);
		else built.user("why does the deploy fail?").bash("cat .env", secret);
		built.assistant("The deploy stops before the migration. I have not changed anything yet.");
	}
	return built
		.user("go on with the deploy")
		.write("deploy.env", planted.join("\n"))
		.assistant("Wrote deploy.env.")
		.build();
}

function longSession(cwd: string, planted: readonly string[]): string {
	const built = session({ cwd, id: randomUUID(), startedAt: hoursAgo(9) });
	for (let turn = 0; turn < 60; turn++) {
		built
			.user(`step ${turn} of the migration`)
			.bash(`./migrate ${turn}`, "ok")
			.assistant(`Step ${turn} is done.`);
	}
	return built
		.bash("env", planted.join("\n"))
		.assistant("All steps are done. Shall I drop the old table?")
		.build();
}

function hoursAgo(hours: number): Date {
	return new Date(Date.now() - hours * 3_600_000);
}

/**
 * Creates a private trash folder and a `trash` program that uses it. Returns the environment in which
 * the program is found.
 */
function layTrash({ root }: Sandbox): Record<string, string> {
	const bin = join(root, "bin");
	for (const folder of [bin, join(root, "trash")]) mkdirSync(folder);
	const program = join(bin, "trash");
	writeFileSync(program, `#!/bin/sh\nexec mv -n "$1" "${join(root, "trash")}/"\n`);
	chmodSync(program, 0o755);
	return { PATH: [bin, process.env.PATH].filter(Boolean).join(delimiter) };
}

/**
 * Returns where a file is now: at its path, in the trash, or in both places if one pi deleted a session
 * while another wrote it again.
 */
export function placesNow(path: string, { sandbox }: World): string[] {
	return [path, join(sandbox.root, "trash", basename(path))].filter((place) => existsSync(place));
}

/**
 * All session files of all projects. A fork is created in a hidden folder first, which does not count.
 */
export function sessionFilesOf({ sandbox }: Pick<World, "sandbox">): string[] {
	const root = sessionsRoot(sandbox.agentDir);
	return readdirSync(root, { recursive: true, encoding: "utf8" })
		.filter((name) => name.endsWith(".jsonl") && !/(?:^|[/\\])\./.test(name))
		.map((name) => join(root, name));
}

/** The pieces of text that a full disk cut off, each with the id of the process that wrote it. */
export function tornWrites({ sandbox }: World): [pid: number, piece: string][] {
	const path = join(sandbox.home, TORN);
	if (!existsSync(path)) return [];
	return readFileSync(path, "utf8")
		.trimEnd()
		.split("\n")
		.map((line) => JSON.parse(line));
}

let serial = 0;

/** A name as typed by a person. Its form distinguishes it from automatic titles. */
export function typedName(): string {
	serial += 1;
	return `mine ${serial} zx`;
}

const TYPED = /^mine \d+ zx$/;

/** The names of a shared session, oldest first; empty if no person has ever named it. */
export function personalNames(path: string): string[] {
	const names = readSession(path).flatMap(({ type, name }) => (type === "session_info" ? String(name) : []));
	return names.some((name) => TYPED.test(name)) ? names : [];
}

/** In shared sessions, a person's name must never be replaced by a title. */
export function nameFaults({ meetings }: World): string[] {
	return meetings.flatMap((path) => {
		const names = personalNames(path);
		return TYPED.test(names.at(-1) ?? "mine 0 zx")
			? []
			: [`a person's name is lost: ${names.join(" → ")} in ${path}`];
	});
}

/** Topics of sessions without a name. Processes compete to name a session only until it has a name. */
const TOPICS = ["the parser of dates", "the retry queue", "the login page", "the cache of thumbnails"];

/**
 * The session that all tabs open most of the time. A new one is created after a person has named the
 * last one.
 */
export function meetingPoint({ meetings, sandbox }: World): string {
	const last = meetings.at(-1);
	if (last !== undefined && hasHeader(last) && personalNames(last).length === 0) return last;
	const topic = TOPICS[meetings.length % TOPICS.length];
	const text = session({ cwd: sandbox.cwd, id: randomUUID(), startedAt: hoursAgo(3) })
		.user(`find out why ${topic} fails on the second try, and fix it`)
		.bash("node --test", "ℹ tests 4\nℹ pass 3\nℹ fail 1", 1)
		.assistant(`One test of ${topic} fails: the second try reuses the first one's state. Shall I reset it?`)
		.build();
	const path = placeSession(text, sandbox.cwd, sandbox.sessionDir);
	meetings.push(path);
	return path;
}

export function hasHeader(path: string): boolean {
	return textIfThere(path)?.startsWith('{"type":"session"') ?? false;
}

export function textIfThere(path: string): string | undefined {
	try {
		return readFileSync(path, "utf8");
	} catch {
		// The file no longer exists.
		return undefined;
	}
}

/** The largest number of processes that have the same session open. */
export function mostOnOne({ sandbox }: World): number {
	const counts: Record<string, number> = {};
	for (const { sessionFile = "", pid } of leaseList(sandbox)) if (isAlive(pid)) count(counts, sessionFile);
	return Math.max(0, ...Object.values(counts));
}
