/** Bytes that remember where they came from, so that after any change it is known which lines are still intact. */
export interface Traced {
	bytes: Buffer;
	/** Of each byte, its offset in the original; -1 for a new one. */
	origin: Int32Array;
}

export type Random = () => number;

/** A small seeded generator (mulberry32): a failure can be run again. */
export function seeded(seed: number): Random {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}

export function traced(bytes: Buffer): Traced {
	return { bytes, origin: Int32Array.from(bytes, (_, index) => index) };
}

/** Bytes that matter to a reader of JSON lines come up more often than others. */
const TELLING = Buffer.from('\n\n\n{}[]",:\\\r\0\ufeff\u2028{"type":"message"');

/** One to three random changes: bytes replaced, put in, cut out, or repeated elsewhere. */
export function mutate(source: Traced, random: Random): Traced {
	let result = source;
	for (let count = 1 + Math.floor(random() * 3); count > 0; count--) result = change(result, random);
	return result;
}

function change({ bytes, origin }: Traced, random: Random): Traced {
	const at = Math.floor(random() * bytes.length);
	const length = Math.floor(random() ** 3 * Math.min(2_000, bytes.length - at));
	switch (Math.floor(random() * 5)) {
		case 0:
			return splice({ bytes, origin }, at, 1, fresh(random, 1));
		case 1:
			return splice({ bytes, origin }, at, 0, fresh(random, 1 + Math.floor(random() * 12)));
		case 2:
			return splice({ bytes, origin }, at, length, traced(Buffer.alloc(0)));
		case 3: {
			// A lost newline: what two unlocked writers make of two lines.
			const newline = bytes.indexOf(0x0a, at);
			return newline < 0 ? { bytes, origin } : splice({ bytes, origin }, newline, 1, traced(Buffer.alloc(0)));
		}
		default: {
			const piece = { bytes: bytes.subarray(at, at + length), origin: origin.subarray(at, at + length) };
			return splice({ bytes, origin }, Math.floor(random() * bytes.length), 0, piece);
		}
	}
}

function fresh(random: Random, length: number): Traced {
	const pick = () =>
		random() < 0.7 ? (TELLING[Math.floor(random() * TELLING.length)] ?? 0) : Math.floor(random() * 256);
	return { bytes: Buffer.from(Array.from({ length }, pick)), origin: new Int32Array(length).fill(-1) };
}

function splice({ bytes, origin }: Traced, at: number, remove: number, piece: Traced): Traced {
	const joined = new Int32Array(bytes.length - remove + piece.bytes.length);
	joined.set(origin.subarray(0, at));
	joined.set(piece.origin, at);
	joined.set(origin.subarray(at + remove), at + piece.bytes.length);
	return {
		bytes: Buffer.concat([bytes.subarray(0, at), piece.bytes, bytes.subarray(at + remove)]),
		origin: joined,
	};
}

/** The lines of the original that are unchanged, byte by byte, after the mutation. */
export function intactLines(original: Buffer, { origin }: Traced): string[] {
	const runs: { from: number; to: number }[] = [];
	let from = 0;
	for (let index = 1; index <= origin.length; index++) {
		const before = origin[index - 1] ?? -1;
		if (index < origin.length && before >= 0 && origin[index] === before + 1) continue;
		if (before >= 0) runs.push({ from: origin[from] ?? 0, to: before + 1 });
		from = index;
	}
	const lines: string[] = [];
	for (let start = 0; start < original.length; ) {
		const newline = original.indexOf(0x0a, start);
		const end = newline < 0 ? original.length : newline;
		if (runs.some((run) => run.from <= start && run.to >= end))
			lines.push(original.toString("utf8", start, end));
		start = end + 1;
	}
	return lines;
}
