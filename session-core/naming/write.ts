/**
 * Gives a session its name, and never takes a person's away.
 *
 * The file is shared: any process may append to it at any time, without a lock, and the newest `session_info` line is
 * the name for everybody. So between our look at the file and our line, a person may name the session elsewhere. Why
 * their name stands all the same:
 *
 * 1. KnownNames writing, the end of the file is read again. A name, or any last entry that this process did not write or
 *    load, and an automatic title is not written at all. What is left is the time between that look and the append:
 *    two small writes in one tick.
 * 2. Our title record goes first and the name second, so whoever finds a name without a record before it knows that a
 *    person set it. The record says which name it replaces.
 * 3. After writing, what was appended since the look is read. A person's name among it that ours came after is written
 *    again, until none is left; a name of ours that somebody's automatic title overtook likewise.
 * 4. Killed between 2 and 3, the file itself tells the story: a person's name stands between the one that the record
 *    replaces and the title. Whoever opens the session next puts it back (`overtakenName`).
 *
 * The host hangs our lines below this process's leaf. Where another process has gone on meanwhile, that would hide its
 * messages from whoever opens the file next, so a last record goes below the other process's last entry.
 */

import { automaticNames, newestName, overtakenName } from "./current-name.ts";
import { ensureNewest } from "./ensure-newest.ts";
import { type KnownNames, knownRecords, memoryOnly, type NamePorts, readKnownNames } from "./known-names.ts";
import type { TitleData } from "./record.ts";

export interface Wish {
	data: TitleData;
	/**
	 * When it is no longer wanted. `named`: there is a name, or another process has gone on with the session.
	 * `renamed`: a person set a name since the one with the id `seen`. `never`: the user typed it.
	 */
	unless: "named" | "renamed" | "never";
	/** Id of the name that counted when the title was asked for; null: there was none. */
	seen: string | null;
}

export type NameRefusal = "named_meanwhile" | "moved_on" | "unreadable" | "not_written";
/** `detail`: the system's own words, where it could not be written. */
export type NameOutcome = { ok: true } | { ok: false; reason: NameRefusal; detail?: string };

/** Interruptible only for tests, which run two of these against each other at every boundary. */
export type NameSteps = Generator<void, NameOutcome, void>;

/** Id of the name that counts right now; null: there is none. */
export function seenName(ports: NamePorts): string | null {
	return newestName(knownRecords(ports))?.id ?? null;
}

/** Why an automatic title must not be written now; undefined: it may. */
export function refusal(ports: NamePorts, wish: Pick<Wish, "unless" | "seen">): NameRefusal | undefined {
	const before = readKnownNames(ports);
	return typeof before === "string" ? before : refuse(ports, before, wish);
}

/** Name the session, one step at a time. */
export function* nameSession(ports: NamePorts, wish: Wish): NameSteps {
	const looked = readKnownNames(ports);
	if (looked === "unreadable" && wish.unless === "named") return { ok: false, reason: looked };
	// What a person asked for is done as the host does it: by memory alone.
	const before = looked === "unreadable" ? memoryOnly(ports) : looked;
	const reason = refuse(ports, before, wish);
	if (reason) return { ok: false, reason };
	yield;
	try {
		ports.record(wish.data);
		yield;
		ports.name(wish.data.title);
		yield;
		const isLost = yield* ensureNewest(ports, before, wish.data);
		return isLost ? { ok: false, reason: "named_meanwhile" } : { ok: true };
	} catch (error) {
		// The host could not append: the disk is full, or the file is not ours to write.
		return {
			ok: false,
			reason: "not_written",
			detail: error instanceof Error ? error.message : String(error),
		};
	}
}

/** Put back a name that an automatic title of a killed process overtook. For a session that was just opened. */
export function* mendName(ports: NamePorts): NameSteps {
	const title = overtakenName(ports.records());
	return title === undefined ? { ok: true } : yield* nameSession(ports, byPerson(title));
}

/** Give the session the name that a person chose, wherever they typed it. */
export function nameByPerson(ports: NamePorts, title: string): NameOutcome {
	return finish(nameSession(ports, byPerson(title)));
}

function byPerson(title: string): Wish {
	return { data: { title, source: "manual" }, unless: "never", seen: null };
}

/** Run the steps in one go: nothing else in this process comes in between. */
export function finish(steps: NameSteps): NameOutcome {
	for (;;) {
		const step = steps.next();
		if (step.done) return step.value;
	}
}

function refuse(
	ports: NamePorts,
	before: KnownNames,
	{ unless, seen }: Pick<Wish, "unless" | "seen">,
): NameRefusal | undefined {
	const newest = newestName(before.records);
	switch (unless) {
		case "never":
			return undefined;
		case "named":
			if (newest) return "named_meanwhile";
			return before.end === 0 || before.leafId === ports.leafId() ? undefined : "moved_on";
		case "renamed": {
			const isPersons = newest && newest.id !== seen && !automaticNames(before.records).has(newest.id);
			return isPersons ? "named_meanwhile" : undefined;
		}
	}
}
