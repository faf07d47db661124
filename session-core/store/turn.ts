import { closeSync, lstatSync, mkdirSync, openSync, readdirSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { hasEnded, ownMark, readMark } from "./writer.ts";

/** `busy`: others took too long. `unwritable`: no ticket can be drawn there. */
export type TurnOutcome<T> =
	| { ok: true; value: T }
	| { ok: false; reason: "busy" | "unwritable"; detail: string };

export interface TurnOptions {
	/** How long to wait for the others, in milliseconds. Default 3,000; a turn takes one or two. */
	patienceMs?: number;
}

/** `choosing.WRITER.RANDOM`, or `TICKET.WRITER.RANDOM`. */
const NAME = /^(choosing|\d{12})\.([^.]+)\.[a-z0-9]+$/;

/**
 * Does something when no other process does it: at each turn at most one, in the order in which they came.
 *
 * Lamport's bakery (1974) with files in `folder`: whoever comes says that it is choosing, draws a ticket above all others, and
 * waits until nobody is choosing and no lower ticket is left. Nobody ever takes or breaks another's lock, so there is no
 * moment in which two take over from a dead one; a dead one's files have its name and no longer count.
 *
 * `work` is synchronous: nothing else in this process comes in between, and a turn cannot be left open.
 */
export async function inTurn<T>(
	folder: string,
	work: () => T,
	{ patienceMs = 3_000 }: TurnOptions = {},
): Promise<TurnOutcome<T>> {
	const drawn = attempt(() => draw(folder));
	if (!drawn.ok) return drawn;
	const ticket = drawn.value;
	try {
		for (const end = performance.now() + patienceMs; ; ) {
			const isOn = attempt(() => isNext(folder, ticket));
			if (!isOn.ok) return isOn;
			if (isOn.value) return { ok: true, value: work() };
			if (performance.now() > end) return { ok: false, reason: "busy", detail: `others are at ${folder}` };
			await pause(1 + Math.random() * 4);
		}
	} finally {
		remove(join(folder, ticket));
	}
}

/** What the file system refuses is a value. */
function attempt<T>(act: () => T): TurnOutcome<T> {
	try {
		return { ok: true, value: act() };
	} catch (error) {
		return {
			ok: false,
			reason: "unwritable",
			detail: error instanceof Error ? error.message : String(error),
		};
	}
}

/** Draws a ticket above all that are there. */
function draw(folder: string): string {
	mkdirSync(folder, { recursive: true, mode: 0o700 });
	// The host loads each extension with its own copy of this module: a counter would not tell them apart.
	const drawer = `${ownMark()}.${Math.random().toString(36).slice(2, 10)}`;
	const choosing = `choosing.${drawer}`;
	create(join(folder, choosing));
	try {
		const highest = Math.max(0, ...readdirSync(folder).map((name) => Number.parseInt(name, 10) || 0));
		const ticket = `${String(highest + 1).padStart(12, "0")}.${drawer}`;
		create(join(folder, ticket));
		return ticket;
	} finally {
		remove(join(folder, choosing));
	}
}

/** Whether it is this ticket's turn. The two looks must come in this order: who is no longer choosing has a ticket. */
function isNext(folder: string, ticket: string): boolean {
	if (waitingIn(folder).some((name) => name.startsWith("choosing"))) return false;
	const waiting = waitingIn(folder).filter((name) => !name.startsWith("choosing"));
	// Without its ticket, others took this process for dead, and one of them may be at it.
	return waiting.includes(ticket) && waiting.every((name) => name >= ticket);
}

/** Those who come and wait. Dead ones are put away. */
function waitingIn(folder: string): string[] {
	return readdirSync(folder).filter((name) => {
		const writer = readMark(NAME.exec(name)?.[2] ?? "");
		if (!writer) return false;
		const path = join(folder, name);
		const since = lstatSync(path, { throwIfNoEntry: false })?.mtimeMs;
		if (since === undefined) return false;
		if (!hasEnded(writer, Math.abs(Date.now() - since))) return true;
		remove(path);
		return false;
	});
}

function create(path: string): void {
	closeSync(openSync(path, "wx", 0o600));
}

function remove(path: string): void {
	try {
		unlinkSync(path);
	} catch {
		// Somebody else put it away already. Where it cannot be removed, it counts until this process ends.
	}
}
