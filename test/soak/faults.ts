import { execFileSync } from "node:child_process";
import { existsSync, linkSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import {
	type Answer,
	type Answerer,
	drop,
	empty,
	fail,
	hang,
	say,
	truncated,
	useTool,
} from "../host/answer.ts";
import { ledgerFile } from "../host/ledger-file.ts";
import type { ModelRequest } from "../host/model-request.ts";
import { anyOf, type Random } from "../support/random.ts";
import { FULL } from "./full-disk.ts";
import { count, type World, writeSettings } from "./world.ts";

/** Breaks something that all tabs share. Returns a function that repairs it. */
export function breakSomething(world: World, random: Random): () => void {
	const [name, breakIt] = anyOf(random, Object.entries(FAULTS));
	count(world.tally.faults, name);
	return breakIt(world);
}

const FAULTS: Readonly<Record<string, (world: World) => () => void>> = {
	"a symlink as the ledger": (world) => replaced(world, (path) => symlinkSync("elsewhere", path)),
	"a pipe as the ledger": (world) => replaced(world, (path) => execFileSync("mkfifo", [path])),
	"torn settings": (world) => {
		writeFileSync(join(world.sandbox.agentDir, "session-suite.json"), '{ "recap": { "ena');
		return () => writeSettings(world, world.settings);
	},
	"a full disk": ({ sandbox }) => {
		const sign = join(sandbox.home, FULL);
		writeFileSync(sign, "");
		return () => rmSync(sign);
	},
};

/** Replaces the ledger temporarily. Returns a function that restores it. */
function replaced({ sandbox }: World, place: (path: string) => void): () => void {
	const path = ledgerFile(sandbox.agentDir);
	mkdirSync(dirname(path), { recursive: true });
	const [other, original] = [`${path}.other`, `${path}.original`];
	place(other);
	// Each swap is a single rename, because a call that is reserved between two steps would create a new
	// ledger, and that ledger would then be lost.
	const existed = existsSync(path);
	if (existed) linkSync(path, original);
	renameSync(other, path);
	return () => (existed ? renameSync(original, path) : rmSync(path));
}

/**
 * Enables focus reports. It is used only in answers to side calls, because the host writes the agent's
 * own text to the terminal.
 */
const SWITCH = "\x1b[?1004h";
/** Text with escape sequences, bidi controls and a lone surrogate. */
const HOSTILE =
	"\x1b]52;c;aGVsbG8=\x07\x1b[2J\x1b]8;;http://evil.example\x1b\\link\x1b]8;;\x1b\\\x9b31m\u202eRTL\u2066\ud83d";

/** Share of slow answers, and their longest delay. */
const SLOW = 0.3;
const SLOW_MS = 3_000;

/** Faulty answers to any request. */
const ANSWERS: readonly Answerer[] = [
	fail(500),
	fail(503, "overloaded"),
	fail(429, "slow down", 1),
	fail(401, "bad key"),
	fail(402, "credit balance is too low"),
	drop(),
	drop("<recap>Half of"),
	empty(),
	say("Reasoning without tags and tools."),
	hang(),
	say(HOSTILE),
	truncated("<recap>Fixing the deploy and th"),
];

const TOOLS: readonly [string, Record<string, unknown>][] = [
	["bash", { command: "cat .env" }],
	["bash", { command: "ls && false" }],
	["read", { path: ".env" }],
	["write", { path: "notes.md", content: "# Notes\n" }],
];

/**
 * Half of the side calls fail. Most agent calls succeed, because side calls are made only for new
 * states.
 */
export function scriptFaults({ model, planted }: World, random: Random): void {
	const faulty = (request: ModelRequest): Answer | Promise<Answer> => {
		const answerer = anyOf(random, ANSWERS);
		return typeof answerer === "function" ? answerer(request) : answerer;
	};
	const among = (good: () => Answer, share: number) => async (request: ModelRequest) => {
		const answer = random() < share ? faulty(request) : good();
		// A slow answer may arrive after the session was renamed, replaced or closed.
		if (random() < SLOW) await pause(random() * SLOW_MS);
		return answer;
	};
	const hostileOr = (text: string) => (random() < 0.3 ? `${HOSTILE}${SWITCH} ${text}` : text);
	const recap = () => {
		// A model may repeat a secret.
		const text = `The deploy stops before the migration. It uses ${anyOf(random, planted)}.`;
		const open = hostileOr("run the migration");
		return say(`<recap>${hostileOr(text)}</recap><topic>${text}</topic><next kind="step">${open}</next>`);
	};
	const title = () => say(`<topic>${hostileOr("Deploy stops early")}</topic>`);
	model
		.always("recap", among(recap, 0.5))
		.always("title", among(title, 0.3))
		.always("agent", (request) => {
			if (request.step === 0 && /tool/.test(request.user))
				return useTool(...anyOf(random, TOOLS), "I'll have a look.");
			if (random() < 0.25) return faulty(request);
			const more = random() < 0.4 ? ` It logs in with ${anyOf(random, planted)}.` : "";
			return say(
				`The deploy stops before the migration; ${"nothing was changed yet, ".repeat(8)}I think.${more}`,
			);
		});
}
