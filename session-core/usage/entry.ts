import type { SideCallFailure } from "../model/failure.ts";
import { cleanLine } from "../text/sanitize.ts";

/** One side call. Tokens as the provider counted them; `cost` in the currency of the model's price table. */
export interface UsageEntry {
	session: string;
	feature: "recap" | "title" | "resume";
	/** `provider/model`. */
	model: string;
	input: number;
	output: number;
	cost: number;
	outcome: "ok" | SideCallFailure;
}

/** Keeps a line far below the 4,096 bytes that POSIX systems append in one piece. */
const MAX_NAME = 200;
const LINE_START = '{"at":';

/** The line of a call: ids, counts and names, field by field, so that nothing else can slip in. */
export function usageLine(at: number, entry: UsageEntry): string {
	const { session, feature, model, input, output, cost, outcome } = entry;
	return JSON.stringify({
		at: Math.floor(at / 1000),
		session: cleanLine(session).slice(0, MAX_NAME),
		feature,
		model: cleanLine(model).slice(0, MAX_NAME),
		input: amount(input),
		output: amount(output),
		cost: amount(cost),
		outcome,
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
		const isWhole = [entry.input, entry.output, entry.cost].every(
			(value) => Number.isFinite(value) && value >= 0,
		);
		return isWhole && typeof entry.session === "string" ? entry : undefined;
	} catch {
		// Cut off by a crash or a full disk.
		return undefined;
	}
}
