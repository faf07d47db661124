import { isPassing } from "../../session-core/model/failure.ts";
import { PAUSE_MS } from "../../session-core/usage/busy-pause.ts";
import type { Draft } from "./draft.ts";

/** Asks a provider that was busy once more, after a pause, if the state is still the one that counts. */
export interface Retry {
	/** A draft has got its answer, or none. */
	done(draft: Pick<Draft, "stamp" | "failure">): void;
	cancel(): void;
}

/** `again` is called at most once for each state, and decides for itself whether it is still wanted. */
export function createRetry(again: (stamp: string) => void): Retry {
	const tried = new Set<string>();
	let handle: NodeJS.Timeout | undefined;
	return {
		done({ stamp, failure }) {
			clearTimeout(handle);
			if (!failure || !isPassing(failure.reason) || tried.has(stamp)) return;
			handle = setTimeout(() => {
				tried.add(stamp);
				again(stamp);
			}, PAUSE_MS);
			handle.unref();
		},
		cancel: () => clearTimeout(handle),
	};
}
