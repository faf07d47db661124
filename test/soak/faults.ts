import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import {
	existsSync,
	linkSync,
	mkdirSync,
	readFileSync,
	renameSync,
	rmSync,
	utimesSync,
	writeFileSync,
} from "node:fs";
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
import { count, placesNow, type World, writeSettings } from "./world.ts";

/** Breaks something that all tabs share. Returns how to repair it. */
export function breakSomething(world: World, random: Random): () => void {
	const [name, breakIt] = anyOf(random, Object.entries(FAULTS));
	count(world.tally.faults, name);
	return breakIt(world, random);
}

const FAULTS: Readonly<Record<string, (world: World, random: Random) => () => void>> = {
	"a folder as the ledger": (world) => replaced(world, (path) => mkdirSync(path)),
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
	"damaged sessions": (world, random) => {
		addDamaged(world, random);
		return () => undefined;
	},
};

/** Replaces the ledger temporarily. Returns how to restore it. */
function replaced({ sandbox }: World, place: (path: string) => void): () => void {
	const path = ledgerFile(sandbox.agentDir);
	mkdirSync(dirname(path), { recursive: true });
	const [other, original] = [`${path}.other`, `${path}.original`];
	place(other);
	// Synchronously, because a process that writes in between would create a new file.
	const existed = existsSync(path);
	if (existed) renameSync(path, original);
	renameSync(other, path);
	return () => {
		rmSync(path, { recursive: true });
		if (existed) renameSync(original, path);
	};
}

const DAMAGES: readonly ((text: string) => string)[] = [
	(text) => `\0\0${text}`,
	(text) => text.replace("\n", "\0\n"),
	(text) => `[]\n${text}`,
	(text) => `null\n${text}`,
	(text) => `"x"\n${text}`,
	(text) => `junk\n\ufeff${text}`,
	(text) => text.slice(0, -40),
	(text) => text.replace(/\n.{60}/, "\n"),
	() => "",
];

/** Adds a damaged copy of a session, older than the others because `pi -c` opens the newest. */
function addDamaged(world: World, random: Random): void {
	const { sandbox, laid } = world;
	const source = anyOf(random, sandbox.placed);
	const id = randomUUID();
	const text = readFileSync(placesNow(source, world)[0] ?? source, "utf8").replace(
		/"id":"[^"]+"/,
		`"id":"${id}"`,
	);
	const path = join(sandbox.sessionDir, `2026-01-01T00-00-00-000Z_${id}.jsonl`);
	const bytes = Buffer.from(anyOf(random, DAMAGES)(text));
	const pending = `${path}.laid`;
	writeFileSync(pending, bytes);
	utimesSync(pending, new Date(2026, 0, 1), new Date(2026, 0, 1));
	laid.set(path, bytes);
	linkSync(pending, path);
	rmSync(pending);
}

/** Enables focus reports. Only in answers to side calls, because the host passes its agent's text on to the terminal. */
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

const RECORD = {
	headline: "Deploy stops before the migration",
	bullets: ["looked at the deploy"],
	next_actions: ["run the migration"],
	outcome: "waiting",
};

/** Half of the side calls fail. The agent mostly answers, because side calls need new states. */
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
		return say(`<recap>${hostileOr(text)}</recap>`);
	};
	const title = () => useTool("set_session_title", { title: hostileOr("Deploy stops early") });
	model
		.always("recap", among(recap, 0.5))
		.always("title", among(title, 0.3))
		.always(
			"record",
			among(() => useTool("write_recap_record", RECORD), 0.5),
		)
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
