import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { say } from "../test/host/answer.ts";
import { isHostSince } from "../test/host/launch.ts";
import { startHost, type TerminalHost } from "../test/host/terminal-host.ts";
import { until } from "../test/host/until.ts";
import { type BenchRow, type BenchWorld, inWorld, median, timeOf } from "./lib/harness.ts";
import { growTree } from "./lib/sessions.ts";

const SESSIONS = 10_000;
const ROUNDS = 7;
const REPLY = "This part reads a date, checks it against the calendar and says what day it is. ".repeat(4);
const AWAY_MS = 3_000;
const SETTLE_MS = 2_000;

export async function rows(): Promise<BenchRow[]> {
	return [await returning(), ...(await inWorld([], opening))];
}

/**
 * The recap is drafted while the user is away, so the benchmark measures only the time to paint a
 * recap.
 */
async function returning(): Promise<BenchRow> {
	const host = await startHost({
		args: ["--recap-focus-min-seconds", "0.01"],
		rows: 40,
		script: (model) =>
			model
				.always("agent", say(REPLY))
				.always("recap", say("<recap>The part of the project is described.</recap>")),
	});
	try {
		await host.attached();
		const took: number[] = [];
		for (let round = 0; round < ROUNDS; round++) {
			host.submit(`look at part ${round} of the project, please, and say what it does`);
			host.focusOut();
			await until(() => host.model.calls("recap")[round]?.state === "answered", "the draft");
			await pause(AWAY_MS);
			took.push(await timeToSee(host, /✦ recap/, () => host.focusIn()));
		}
		const what = "Return to the terminal: time until the recap is visible";
		return { what, value: median(took), unit: "ms", most: 50 };
	} finally {
		await host.dispose();
	}
}

async function opening(world: BenchWorld): Promise<BenchRow[]> {
	const { agentDir, cwd } = world.sandbox;
	growTree(agentDir, { sessions: SESSIONS, bytes: 4_000, projects: [cwd] });
	const measured = { cold: [] as Opening[], warm: [] as Opening[] };
	for (const [kind, openings] of Object.entries(measured)) {
		for (let round = 0; round < ROUNDS; round++) {
			if (kind === "cold") rmSync(join(agentDir, "session-suite"), { recursive: true, force: true });
			openings.push(await openBoth(world));
		}
	}
	const least = isHostSince("1.0.0") ? 1 : 5;
	return Object.entries(measured).flatMap(([kind, openings]): BenchRow[] => {
		const what = `Key press to the first of 10,000 sessions, ${kind}`;
		const ratio = median(openings.map(({ picker, board }) => picker / board));
		return [
			{ what: `${what}: the host's picker relative to our board`, value: ratio, unit: "×", least },
			{
				what: `${what}: our board, including the loading of its code`,
				value: median(openings.map(({ board }) => board)),
				unit: "ms",
			},
			{
				what: `Key press to the complete list of 10,000 sessions, ${kind}: our board`,
				value: median(openings.map(({ complete }) => complete)),
				unit: "ms",
			},
		];
	});
}

interface Opening {
	board: number;
	complete: number;
	picker: number;
}

async function openBoth(world: BenchWorld): Promise<Opening> {
	const host = await startHost({ ...world, rows: 40 });
	try {
		await host.attached();
		await pause(SETTLE_MS);
		const board = await opened(host, "/sessions");
		const complete = board + (await timeToSee(host, COMPLETE, () => undefined));
		host.key("escape");
		await until(() => !ROW.test(host.screen.text()), "the board to close");
		return { board, complete, picker: await opened(host, "/resume") };
	} finally {
		await host.dispose();
	}
}

const COMPLETE = /Sessions\s+10000\s(?!\s*…)/;

const ROW = /bug \d+ in the parser/;

async function opened(host: TerminalHost, command: string): Promise<number> {
	host.type(command);
	await until(() => host.screen.text().includes(command), command);
	return timeToSee(host, ROW, () => host.key("enter"));
}

function timeToSee(host: TerminalHost, seen: RegExp, act: () => void): Promise<number> {
	act();
	const saw = () => seen.test(host.screen.text());
	return timeOf(() => until(saw, String(seen), { everyMs: 1, deadlineMs: 120_000 }));
}
