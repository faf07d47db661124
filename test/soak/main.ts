import { until } from "../host/until.ts";
import { type Random, seeded } from "../support/random.ts";
import { anyAction } from "./actions.ts";
import { callFigures, checkWorld, SeenLines } from "./checks.ts";
import { breakSomething, scriptFaults } from "./faults.ts";
import { Tab } from "./tab.ts";
import { createWorld, mostOnOne, sessionFilesOf } from "./world.ts";

const TABS = 3;
const DEFAULT_SECONDS = 180;
const MAX_SECONDS = 300;
/**
 * Maximum time in milliseconds until all tabs hold a lease. The first hosts also compile our modules,
 * on a machine that may be busy.
 */
const MEET_MS = 90_000;
/** Number of actions in all tabs between a fault and its repair. */
const FAULT_LASTS = 6;

const seconds = Math.min(MAX_SECONDS, numberIn("SOAK_SECONDS") ?? DEFAULT_SECONDS);
const seed = numberIn("SOAK_SEED") ?? Date.now() % 1_000_000;
console.log(`soak: seed ${seed}, ${seconds} s, ${TABS} tabs`);
const world = await createWorld(seed, seconds);
const { tally } = world;
const seen = new SeenLines(world);
scriptFaults(world, seeded(seed + 1));
try {
	const dice = Array.from({ length: TABS }, (_, index) => seeded(seed + 100 + index));
	const tabs = await Promise.all(dice.map((random) => Tab.open(world, random, "meeting")));
	const met = until(() => mostOnOne(world) === TABS, "all tabs to have the same session open", {
		deadlineMs: MEET_MS,
		detail: () => tabs.map(({ host }) => host.screen.picture()).join("\n"),
	});
	await met.catch(async (error: unknown) => {
		await Promise.all(tabs.map((tab) => tab.close()));
		throw error;
	});
	world.until = performance.now() + seconds * 1000;
	await Promise.all([...dice.map((random, index) => runTab(index, random, tabs[index])), runFaults()]);
	if (tally.actions < TABS) tally.failures.push("too few actions");
	await checkWorld(world, seen);
} catch (error) {
	tally.failures.push(String(error));
} finally {
	report();
	await world.remove();
}

function numberIn(name: string): number | undefined {
	const value = Number.parseInt(process.env[name] ?? "", 10);
	return Number.isNaN(value) ? undefined : value;
}

/** Simulates the user of one tab: starts a host, acts until it ends, and starts the next one. */
async function runTab(index: number, random: Random, first: Tab | undefined): Promise<void> {
	let tab = first;
	let done: string[] = [];
	try {
		while (isOn()) {
			tab ??= await Tab.open(world, random);
			if (mostOnOne(world) === TABS) tally.togetherFor += 1;
			const { name, act, isEnd } = anyAction(random);
			done = [name, ...done.slice(0, 4)];
			if (process.env["SOAK_VERBOSE"]) console.log(`tab ${index}: ${name}`);
			let ended = isEnd;
			try {
				await act({ tab, world, random });
			} catch (error) {
				if (!(await tab.diedByItself())) throw error;
				ended = true;
			}
			tally.actions += 1;
			if (ended) tab = undefined;
			else tab.look();
			tally.failures.push(...seen.look());
		}
		await tab?.end("SIGTERM");
	} catch (error) {
		tally.failures.push(`tab ${index}: ${error}\nPrevious actions, newest first: ${done.join(", ")}`);
		await tab?.close();
	}
}

/** Causes one fault after another, and repairs each before the next. */
async function runFaults(): Promise<void> {
	const random = seeded(seed + 200);
	const afterActions = async () => {
		const next = tally.actions + FAULT_LASTS;
		const deadlineMs = Math.max(0, world.until - performance.now()) + 1_000;
		await until(() => tally.actions >= next || !isOn(), "actions", { deadlineMs, everyMs: 50 });
	};
	try {
		while (isOn()) {
			await afterActions();
			const repair = breakSomething(world, random);
			await afterActions();
			repair();
		}
	} catch (error) {
		tally.failures.push(`faults: ${error}`);
	}
}

function isOn(): boolean {
	return performance.now() < world.until && tally.failures.length === 0;
}

function report(): void {
	const { made, automatic, states } = callFigures(world);
	const list = (counts: Record<string, number>) =>
		Object.entries(counts)
			.map(([name, times]) => `${name} ${times}`)
			.join(", ");
	const figures = [
		`${tally.actions} actions, ${tally.starts} starts (ends: ${list(tally.ends)})`,
		`faults: ${list(tally.faults)}`,
		`${world.meetings.length} sessions shared by all tabs (at ${tally.togetherFor} actions all had the same one open)`,
		`${sessionFilesOf(world).length} session files, ${seen.count} lines`,
		`${states} states, ${made} side calls (${automatic.length} automatic requests, ${tally.typedCalls} commands)`,
		`${world.model.calls("agent").length} agent calls`,
	];
	for (const failure of new Set(tally.failures)) console.error(`✖ ${failure}\n`);
	const verdict = tally.failures.length === 0 ? "ok" : `FAILED (again: SOAK_SEED=${seed})`;
	console.log(`soak ${verdict}: seed ${seed}; ${figures.join("; ")}`);
	if (tally.failures.length > 0) process.exitCode = 1;
}
