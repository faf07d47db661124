import { until } from "../host/until.ts";
import { BOARD_ACTS } from "./board-acts.ts";
import { callFigures } from "./calls.ts";
import { checkWorld } from "./checks.ts";
import { COMMANDS } from "./commands.ts";
import { breakSomething, type Repair } from "./file-faults.ts";
import { GIVEN_AWAY } from "./given-away.ts";
import { mostOnOne } from "./meeting.ts";
import { ENDINGS, PRESENCE } from "./person.ts";
import { byWeight, type Random, seeded } from "./random.ts";
import { sessionEnds } from "./session-ends.ts";
import { Tab } from "./tab.ts";
import { createWorld, type World } from "./world.ts";

const TABS = 3;
const ACTIONS = [...PRESENCE, ...GIVEN_AWAY, ...COMMANDS, ...BOARD_ACTS, ...ENDINGS];
const DEFAULT_SECONDS = 180;
const MAX_SECONDS = 300;
/** Actions of all tabs between a fault and its repair. */
const FAULT_LASTS = 6;

const seconds = Math.min(MAX_SECONDS, numberIn("SOAK_SECONDS") ?? DEFAULT_SECONDS);
const seed = numberIn("SOAK_SEED") ?? Date.now() % 1_000_000;
console.log(`soak: seed ${seed}, ${seconds} s, ${TABS} tabs`);
const world = await createWorld(seed, seconds);
try {
	const dice = Array.from({ length: TABS }, (_, index) => seeded(world.seed + 100 + index));
	const tabs = await Promise.all(dice.map((random) => Tab.open(world, random, "meeting")));
	await until(() => mostOnOne(world) === TABS, { what: "all tabs to have the same session open" });
	world.until = performance.now() + seconds * 1000;
	await Promise.all([
		...dice.map((random, index) => runTab(world, index, random, tabs[index])),
		runFaults(world),
	]);
	if (world.tally.actions < TABS) world.tally.failures.push("too few actions");
	await checkWorld(world);
} catch (error) {
	world.tally.failures.push(String(error));
} finally {
	report(world);
	await world.remove();
}

/** A number from the environment. */
function numberIn(name: string): number | undefined {
	const value = Number.parseInt(process.env[name] ?? "", 10);
	return Number.isNaN(value) ? undefined : value;
}

/** The user of one tab: starts a host, acts until it ends, and starts the next one. */
async function runTab(world: World, index: number, random: Random, first: Tab | undefined): Promise<void> {
	let tab = first;
	/** Newest first. */
	let done: string[] = [];
	try {
		while (isOn(world)) {
			tab ??= await Tab.open(world, random);
			if (mostOnOne(world) === TABS) world.tally.togetherFor += 1;
			const { name, act } = byWeight(random, ACTIONS);
			done = [name, ...done.slice(0, 4)];
			if (process.env["SOAK_VERBOSE"]) console.log(`tab ${index}: ${name}`);
			const ended = await act({ tab, world, random }).catch(async (error: unknown) => {
				if (await tab?.diedByItself()) return "ended";
				throw error;
			});
			world.tally.actions += 1;
			if (ended) tab = undefined;
			else tab.look();
			world.tally.failures.push(...world.watch.look());
		}
		if (tab) await tab.end("SIGTERM", (host) => host.signal("SIGTERM"));
		tab = undefined;
	} catch (error) {
		world.tally.failures.push(`tab ${index}: ${error}\nPrevious actions, newest first: ${done.join(", ")}`);
	} finally {
		await tab?.close();
	}
}

/** Causes one fault after another, and repairs each before the next. */
async function runFaults(world: World): Promise<void> {
	const random = seeded(world.seed + 200);
	const afterActions = async () => {
		const next = world.tally.actions + FAULT_LASTS;
		const deadlineMs = Math.max(0, world.until - performance.now()) + 1_000;
		await until(() => world.tally.actions >= next || !isOn(world), {
			what: "actions",
			deadlineMs,
			everyMs: 50,
		});
	};
	let repair: Repair | undefined;
	try {
		while (isOn(world)) {
			await afterActions();
			repair = breakSomething(world, random);
			await afterActions();
			repair();
			repair = undefined;
		}
	} catch (error) {
		world.tally.failures.push(`faults: ${error}`);
	} finally {
		repair?.();
	}
}

function isOn({ until: end, tally }: World): boolean {
	return performance.now() < end && tally.failures.length === 0;
}

function report(world: World): void {
	const { tally, watch, laid } = world;
	const { made, automatic, states } = callFigures(world);
	const ends = sessionEnds(world);
	const growths = ends.flatMap(({ heapGrowth }) => heapGrowth ?? []);
	const list = (counts: Record<string, number>) =>
		Object.entries(counts)
			.map(([name, times]) => `${name} ${times}`)
			.join(", ");
	const figures = [
		`${tally.actions} actions, ${tally.starts} starts (ends: ${list(tally.ends)})`,
		`faults: ${list(tally.faults)}`,
		`${world.meetings.length} sessions shared by all tabs (at ${tally.togetherFor} actions all had the same one open)`,
		`${ends.length} sessions ended inside their hosts, ${growths.length} series of replacements (heap at most +${Math.round(Math.max(0, ...growths) / 1024)} KB each)`,
		`${watch.files().length} session files (${laid.size} damaged), ${watch.lines} lines`,
		`${states} states, ${made} side calls (${automatic.length} automatic requests, ${tally.typedCalls} commands)`,
		`${world.model.calls("agent").length} agent calls, ${world.planted.length} secrets`,
	];
	for (const failure of new Set(tally.failures)) console.error(`✖ ${failure}\n`);
	const verdict = tally.failures.length === 0 ? "ok" : `FAILED (again: SOAK_SEED=${world.seed})`;
	console.log(`soak ${verdict}: seed ${world.seed}; ${figures.join("; ")}`);
	if (tally.failures.length > 0) process.exitCode = 1;
}
