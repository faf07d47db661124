import type { FolderScan } from "./folder-scan.ts";
import type { Steps } from "./pace.ts";

export interface Likely {
	scan: FolderScan;
	name: string;
}

/** The host's file names begin with the time of creation: `2026-01-31T12-00-00-000Z_<id>.jsonl`. */
const NAMED_FOR_TIME = /^(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d)/;

/**
 * Files that have probably changed last, without looking at any: by what the index recorded, else by the time in the name.
 * A guess that is wrong costs nothing but the order in which rows arrive.
 */
export function* likelyNewest(scans: FolderScan[], count: number): Steps<never, Likely[]> {
	const newest = new Greatest<Likely & { time: number }>(count, (one, other) => one.time > other.time);
	for (const scan of scans) {
		// Names of one folder sort like their times, and a comparison costs a tenth of a date.
		const unknown = new Greatest<string>(count, (one, other) => one > other);
		for (const name of scan.names) {
			const time = scan.index.changedAt(name);
			if (time === undefined) unknown.add(name);
			else newest.add({ scan, name, time });
		}
		for (const name of unknown.values) newest.add({ scan, name, time: timeInName(name) });
		yield;
	}
	return newest.values;
}

/** The greatest few of many, in falling order, without sorting the rest. */
class Greatest<T> {
	readonly values: T[] = [];
	readonly #count: number;
	readonly #isGreater: (one: T, other: T) => boolean;

	constructor(count: number, isGreater: (one: T, other: T) => boolean) {
		this.#count = count;
		this.#isGreater = isGreater;
	}

	add(value: T): void {
		const least = this.values.at(-1);
		if (least !== undefined && this.values.length >= this.#count && !this.#isGreater(value, least)) return;
		const place = this.values.findIndex((other) => this.#isGreater(value, other));
		this.values.splice(place < 0 ? this.values.length : place, 0, value);
		if (this.values.length > this.#count) this.values.pop();
	}
}

function timeInName(name: string): number {
	const [, hour, minute, second] = NAMED_FOR_TIME.exec(name) ?? [];
	const time = Date.parse(`${hour}:${minute}:${second}Z`);
	return Number.isNaN(time) ? 0 : time;
}
