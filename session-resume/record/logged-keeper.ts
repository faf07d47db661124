import type { LogFields } from "../../session-core/debug-log.ts";
import type { Cause } from "../../session-core/records/refusal.ts";
import type { Keeper, Kept, Refused } from "./keeper.ts";

/** Why a record that was due could not be put into the session; everything else is a record that was not due. */
const REFUSALS: ReadonlySet<Refused["reason"]> = new Set([
	"not_saved",
	"moved_on",
	"unreadable",
	"unwritable",
]);

/** A keeper that leaves an event in the debug log for every record that it writes, skips or is refused, with the reason. */
export function loggedKeeper(keeper: Keeper, log: (event: string, fields: LogFields) => void): Keeper {
	const note = (kept: Kept | { ok: true }, cause?: Cause): void => {
		if (!kept.ok) {
			const event = REFUSALS.has(kept.reason) ? "record.refused" : "record.skipped";
			log(event, { cause, reason: kept.reason });
		} else if ("recap" in kept) {
			const { kind, generator, outcome, last_message_id: stamp } = kept.recap;
			log("record.written", { cause, kind, by: generator.type, outcome, stamp });
		}
	};
	return {
		...keeper,
		propose(wish) {
			const proposed = keeper.propose(wish);
			if (!proposed.ok) note(proposed, wish.cause);
			return proposed;
		},
		put(recap, placing) {
			const kept = keeper.put(recap, placing);
			note(kept, placing.cause);
			return kept;
		},
		keep(wish) {
			const kept = keeper.keep(wish);
			note(kept, wish.cause);
			return kept;
		},
	};
}
