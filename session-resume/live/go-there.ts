import { canGo } from "../../session-core/live-terminal/can-go.ts";
import { type GoOutcome, goTo } from "../../session-core/live-terminal/go.ts";
import type { Lease } from "../../session-core/store/lease.ts";
import { placeOf } from "../../session-core/store/machine.ts";
import { ENGLISH } from "../../session-core/words/en.ts";

/** The way to the terminal of a session that another process has open. */
export interface WayThere {
	/** It can be offered. */
	canGo: boolean;
	/** Brings that terminal to the front, or says where it is. */
	go(): Promise<GoOutcome>;
}

/** From this process to the one that holds the lease. */
export function wayTo(agentDir: string, lease: Lease, { terminal: words } = ENGLISH): WayThere {
	const here = placeOf(agentDir);
	return { canGo: canGo(lease, here), go: () => goTo(lease, { env: process.env, here, words }) };
}
