import type { LeaseState } from "../session-core/store/lease.ts";

interface Process {
	env: Readonly<Record<string, string | undefined>>;
	stdout: { write(text: string): unknown };
	stderr: { write(text: string): unknown };
}

/** Prints the line; gives the exit code. */
export function status(args: readonly string[], process: Process): number;
/** What needs the user first; empty where there is nothing to say. */
export function statusLine(counts: Readonly<Record<LeaseState, number>>, format: "plain" | "tmux"): string;
