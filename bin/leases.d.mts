import type { LeaseState } from "../session-core/store/lease.ts";

/** How many live sessions are in each state; reads as `session-core/store/live.ts` does. */
export function countStates(agentDir: string, now?: number): Record<LeaseState, number>;
