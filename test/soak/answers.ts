/**
 * Sends answers to live sessions at random moments, while something else happens in their tabs: typing,
 * a prompt, another session, the end of the process, a full disk, a second sender. An answer must be in
 * its session's file exactly once if its sender was told that it was submitted, and must not run
 * otherwise. `ANSWERS_RUNS` sets the number of runs, and `SOAK_SEED` repeats the random choices.
 */
import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type AnswerOutcome, sendAnswer } from "../../session-core/sessions/live/answers.ts";
import { type Lease, liveLeases } from "../../session-core/sessions/live/lease-files.ts";
import { say } from "../host/answer.ts";
import { session } from "../host/fixtures.ts";
import { createSandbox } from "../host/sandbox.ts";
import { ScriptedModel } from "../host/scripted-model.ts";
import { readSession, type SessionLine } from "../host/session-files.ts";
import { startHost, type TerminalHost } from "../host/terminal-host.ts";
import { until } from "../host/until.ts";
import { anyOf, type Random, seeded } from "../support/random.ts";
import { FULL } from "./full-disk.ts";
import { count, sessionFilesOf } from "./world.ts";

const TABS = 4;
const RUNS = Number(process.env["ANSWERS_RUNS"] ?? 200);
const SEED = Number(process.env["SOAK_SEED"] ?? Date.now() % 1_000_000);
/** Milliseconds to wait for slow steps on a busy machine. */
const PATIENCE = 30_000;

const model = await ScriptedModel.start();
model.always("agent", async () => {
	await pause(50);
	return say("Done. Shall I go on?");
});
const hourAgo = new Date(Date.now() - 3_600_000);
const asking = () =>
	session({ id: randomUUID(), startedAt: hourAgo })
		.user("Rename the queue")
		.assistant("Done. Shall I go on?");
const sandbox = createSandbox({
	modelUrl: model.url,
	sessions: Array.from({ length: TABS }, () => asking().build()),
	settings: { doubleEscapeAction: "none" },
});
/** The answers that were sent, their sessions, and the outcomes that the sender received. */
const sent: { text: string; sessionId: string; outcome: AnswerOutcome }[] = [];
const typed: string[] = ["Rename the queue"];
const failures: string[] = [];
const tally: Record<string, number> = {};
let serial = 0;

class Tab {
	host: TerminalHost | undefined;
	/**
	 * Whether the last message in the file differs from the host's, because of a full disk or another
	 * tab.
	 */
	isBehind = false;
	#wasFull = false;
	readonly #file: string;
	/** The tab's own home folder. While it contains a certain file, the disk is considered full. */
	readonly #home: string;

	constructor(file: string, index: number) {
		this.#file = file;
		this.#home = join(sandbox.root, `home-${index}`);
		mkdirSync(this.#home);
	}

	/** Resolves when the tab has a session that can be answered. */
	async ready(): Promise<{ host: TerminalHost; lease: Lease; stamp: string }> {
		this.host ??= await startHost({
			model,
			sandbox,
			extensions: [".", "test/soak/full-disk.ts"],
			args: ["--session", this.#file],
			env: { HOME: this.#home },
			deadlineMs: PATIENCE,
		});
		const { host } = this;
		const isIn = (...states: string[]) => states.includes(leaseOf(host)?.state ?? "");
		const asks = () => isIn("waiting", "finished");
		const look = { deadlineMs: PATIENCE, detail: () => `${leaseOf(host)?.state}\n${host.screen.picture()}` };
		for (let tries = 0; tries < 4; tries++) {
			const isAtRest = () => isIn("waiting", "finished", "failed", "idle");
			if (!(await within(PATIENCE, isAtRest))) {
				// The hosts do not report the end of a run whose reply could not be stored; in 1.6.0, such a run
				// never ends.
				if (!this.#wasFull) throw new Error(`a run does not end:\n${look.detail()}`);
				count(tally, "(stuck on a full disk)");
				await this.end();
				return this.ready();
			}
			await toEditor(host);
			const lease = leaseOf(host);
			const stamp = readSession(lease?.sessionFile ?? "").findLast(isMessage)?.id;
			if (lease && stamp && asks() && !this.isBehind) return { host, lease, stamp };
			if (isIn("working")) continue;
			prompt(host);
			this.isBehind = false;
			await within(15_000, () => isIn("working"));
			await within(15_000, asks);
		}
		throw new Error(`no session asks anything:\n${look.detail()}`);
	}

	async fillDisk(ms: number): Promise<void> {
		this.#wasFull = true;
		const sign = join(this.#home, FULL);
		writeFileSync(sign, "");
		await pause(ms);
		rmSync(sign);
	}

	async end(): Promise<void> {
		await this.host?.dispose();
		this.host = undefined;
		this.#wasFull = false;
	}
}

/**
 * Empties the editor. Escape is pressed only if something else has the keys, because it would abort a
 * run.
 */
async function toEditor(host: TerminalHost): Promise<void> {
	for (let tries = 0; tries < 10; tries++) {
		serial += 1;
		const nonce = `zq${serial}qz`;
		const isShown = () => host.screen.text().includes(nonce);
		host.type(nonce);
		const isInEditor = await within(3_000, () =>
			new RegExp(`─{10}\\n[^─]*${nonce}`).test(host.screen.text()),
		);
		host.type("\x15\x7f".repeat(20));
		if (isInEditor && (await within(PATIENCE, () => !isShown()))) return;
		host.key("escape");
	}
	throw new Error(`the host does not hear its keys:\n${host.screen.picture()}`);
}

function within(deadlineMs: number, holds: () => boolean): Promise<boolean> {
	return until(holds, "it", { deadlineMs }).then(
		() => true,
		() => false,
	);
}

function prompt(host: TerminalHost): void {
	serial += 1;
	typed.push(`own prompt ${serial}`);
	host.submit(`own prompt ${serial}`);
}

function leaseOf({ pid }: TerminalHost) {
	return liveLeases(sandbox.agentDir, Date.now()).find((lease) => lease.pid === pid);
}

const isMessage = ({ type }: SessionLine) => type === "message";

const DISTURBANCES: Readonly<Record<string, (host: TerminalHost, random: Random, tab: Tab) => unknown>> = {
	nothing: () => undefined,
	typing: (host) => host.type("half a thought"),
	"a prompt": prompt,
	"a look": (host) => host.key("left"),
	"/resume": async (host, random) => {
		host.submit("/resume");
		for (const keys of [["down", "enter"] as const, ["enter", "escape"] as const]) {
			await pause(random() * 600);
			host.key(anyOf(random, keys));
		}
	},
	"/new": (host) => host.submit("/new"),
	"/compact": (host) => host.submit("/compact"),
	"a full disk": (_host, random, tab) => tab.fillDisk(random() * 1_500),
	"a stopped process": async (host, random) => {
		host.signal("SIGSTOP");
		await pause(random() < 0.3 ? 11_000 : random() * 1_000);
		host.signal("SIGCONT");
	},
	quit: (host) => host.key("ctrl+d"),
	SIGTERM: (host) => host.signal("SIGTERM"),
	SIGKILL: (host) => host.signal("SIGKILL"),
};
const ENDS = ["quit", "SIGTERM", "SIGKILL"];

async function run(number: number, tab: Tab): Promise<void> {
	const random = seeded(SEED + number);
	const name = anyOf(random, Object.keys(DISTURBANCES));
	const { host, lease, stamp } = await tab.ready();
	const answer = async (letter: string, delayMs: number) => {
		await pause(delayMs);
		const text = `answer ${number}${letter}.`;
		const outcome = await sendAnswer(sandbox.agentDir, lease, { stamp, text, from: "board" });
		sent.push({ text, sessionId: lease.sessionId, outcome });
		const word = outcome.ok ? "ok" : outcome.reason;
		count(tally, word);
		return word;
	};
	const moment = () => random() * 250;
	const senders = random() < 0.25 ? ["a", "b"] : ["a"];
	const disturbed = pause(moment()).then(() => DISTURBANCES[name]?.(host, random, tab));
	const words = await Promise.all(senders.map((letter) => answer(letter, moment())));
	await disturbed;
	tab.isBehind = words.includes("changed");
	if (process.env["SOAK_VERBOSE"]) console.log(`${number} ${name}: ${words}`);
	if (!ENDS.includes(name)) return;
	// Ctrl+D does not quit during a run.
	await Promise.race([host.exit, pause(5_000)]);
	await tab.end();
}

const PROMPT =
	/"id":"([^"]*)","parentId":[^{]*"message":\{"role":"user","content":(?:\[\{"type":"text","text":)?"([^"]*)"/g;

/**
 * Every prompt in every session file, including prompts that follow a cut-off line without a line break
 * (after a full disk). A fork contains copies with the same ids.
 */
function prompts(): { id: string; text: string; sessionId: string }[] {
	return sessionFilesOf({ sandbox }).flatMap((path) => {
		const sessionId = readSession(path)[0]?.id ?? "";
		const found = readFileSync(path, "utf8").matchAll(PROMPT);
		return [...found].map(([, id = "", text = ""]) => ({ id, text, sessionId }));
	});
}

/** Checks what was sent. The hosts have ended, so nothing can be submitted any more. */
function check(): void {
	const all = prompts();
	const known = new Set([...typed, ...sent.map(({ text }) => text)]);
	for (const { text } of all) if (!known.has(text)) failures.push(`a strange prompt: ${text}`);
	for (const { text, sessionId, outcome } of sent) {
		const found = all.filter((one) => one.text === text);
		const isRequested = model.requests.some(({ kind, user }) => kind === "agent" && user === text);
		const what = `${text} ${outcome.ok ? "ok" : outcome.reason}: ${found.length} times`;
		const isHere = found.some((one) => one.sessionId === sessionId);
		if (new Set(found.map(({ id }) => id)).size > 1) failures.push(`twice: ${what}`);
		if (found.length > 0 && !isHere) failures.push(`in a wrong session: ${what}`);
		if (outcome.ok && found.length === 0) failures.push(`lost: ${what}`);
		const mayRun = outcome.ok || outcome.reason === "unsure";
		if (!mayRun && (found.length > 0 || isRequested)) failures.push(`submitted after a refusal: ${what}`);
	}
}

console.log(`answers: seed ${SEED}, ${RUNS} runs, ${TABS} tabs`);
const tabs = sandbox.placed.map((file, index) => new Tab(file, index));
const startedAt = performance.now();
let done = 0;
async function runTab(tab: Tab, index: number): Promise<void> {
	try {
		for (let number = index; number < RUNS && failures.length === 0; number += TABS) {
			await run(number, tab);
			done += 1;
		}
		if (tab.host) await tab.ready();
	} catch (error) {
		failures.push(`tab ${index}: ${error}`);
	}
}
await Promise.all(tabs.map(runTab));
for (const tab of tabs) await tab.end();
check();
for (const failure of new Set(failures)) console.error(`✖ ${failure}\n`);
const outcomes = Object.entries(tally).map(([name, times]) => `${name} ${times}`);
const seconds = Math.round((performance.now() - startedAt) / 1_000);
const verdict = failures.length === 0 ? "ok" : `FAILED (again: SOAK_SEED=${SEED})`;
console.log(
	`answers ${verdict}: ${done} runs, ${sent.length} answers in ${seconds} s: ${outcomes.join(", ")}`,
);
if (failures.length > 0) process.exitCode = 1;
await model.close();
sandbox.remove();
