import type { SideCallFailure } from "../model/failure.ts";
import { cleanLine } from "../text/sanitize.ts";

export type Feature = "recap" | "title" | "resume";

/** One side call. Tokens as the provider counted them; `cost` in the currency of the model's price table. */
export interface UsageEntry {
	session: string;
	feature: Feature;
	/** `provider/model`. */
	model: string;
	input: number;
	output: number;
	cost: number;
	/** `reserved`: it is under way, or its process died meanwhile. `withdrawn`: it was reserved and never made. */
	outcome: "ok" | SideCallFailure | "reserved" | "withdrawn";
	/** Names a call in its two lines, the reservation and what became of it. */
	id?: string;
	/** Of a reservation: the most that the call may cost, counted until `until` (unix seconds), `cost` from then on. */
	most?: number;
	until?: number;
	/** The figures are ours: the provider reported none. */
	estimated?: true;
	/** The model has no price, so that a cost of 0 means nothing. */
	unpriced?: true;
}

/** Keeps a line far below the 4,096 bytes that POSIX systems append in one piece. */
const MAX_NAME = 200;
const LINE_START = '{"at":';

/** The line of a call: ids, counts and names, field by field, so that nothing else can slip in. */
export function usageLine(at: number, entry: UsageEntry): string {
	const { session, feature, model, input, output, cost, outcome, id, most, until, estimated, unpriced } =
		entry;
	return JSON.stringify({
		at: Math.floor(at / 1000),
		...(id !== undefined && { id }),
		session: cleanLine(session).slice(0, MAX_NAME),
		feature,
		model: cleanLine(model).slice(0, MAX_NAME),
		input: amount(input),
		output: amount(output),
		cost: amount(cost),
		...(most !== undefined && { most: amount(most) }),
		...(until !== undefined && { until: amount(until) }),
		outcome,
		...(estimated && { estimated }),
		...(unpriced && { unpriced }),
	});
}

/** A provider may report nonsense; it must not break the sum of a day. */
function amount(value: number): number {
	return Number.isFinite(value) && value > 0 ? value : 0;
}

/** One line, or undefined for a torn or foreign one. */
export function readUsageLine(line: string): UsageEntry | undefined {
	// A line that was cut off by a crash stands before a whole one.
	const start = line.lastIndexOf(LINE_START);
	if (start < 0) return undefined;
	try {
		const entry: UsageEntry = JSON.parse(line.slice(start));
		const { input, output, cost, most = 0, until = 0 } = entry;
		const isWhole = [input, output, cost, most, until].every((value) => Number.isFinite(value) && value >= 0);
		return isWhole && typeof entry.session === "string" ? entry : undefined;
	} catch {
		// Cut off by a crash or a full disk.
		return undefined;
	}
}
