// @ts-check
// Prints one line for a prompt or a status bar. Reads nothing but the leases of live sessions.
import { liveFolder, storedLeases } from "../session-core/live/liveness.mjs";
import { agentDirIn } from "./place.mjs";

/** @typedef {{ waiting: number, failed: number, finished: number, working: number, idle: number }} Counts */

const USAGE = "usage: pi-sessions status [--format plain|tmux|json]";

/**
 * Prints the line and returns the exit code.
 * @param {readonly string[]} args
 * @param {{ env: Readonly<Record<string, string | undefined>>, stdout: { write(text: string): unknown }, stderr: { write(text: string): unknown }, }} process
 */
export function status(args, { env, stdout, stderr }) {
	const typed = /^(?:--format[= ](plain|tmux|json))?$/.exec(args.join(" "));
	if (!typed) {
		stderr.write(`${USAGE}\n`);
		return 2;
	}
	const format = typed[1] ?? "plain";
	const counts = countStates(agentDirIn(env), Date.now());
	const line = format === "json" ? JSON.stringify(counts) : statusLine(counts, format);
	if (line !== "") stdout.write(`${line}\n`);
	return 0;
}

/**
 * Returns the line, with the sessions that are waiting for the user first. Idle sessions are left out to save space in a prompt, so the line is
 * empty if there are no other sessions.
 * @param {Counts} counts
 * @param {string} format
 */
function statusLine({ waiting, failed, finished, working }, format) {
	/** @type {[color: string, count: number, state: string][]} */
	const parts = [
		["yellow", waiting, "waiting"],
		["red", failed, "failed"],
		["cyan", finished, "finished"],
		["green", working, "working"],
	];
	return parts
		.filter(([, count]) => count > 0)
		.map(([color, count, state]) =>
			format === "tmux" ? `#[fg=${color}]${count} ${state}#[default]` : `${count} ${state}`,
		)
		.join(" · ");
}

/**
 * Counts the live sessions in each state.
 * @param {string} agentDir
 * @param {number} now
 */
function countStates(agentDir, now) {
	/** @type {Counts} */
	const counts = { waiting: 0, failed: 0, finished: 0, working: 0, idle: 0 };
	for (const { lease, liveness } of storedLeases(liveFolder(agentDir), now))
		if (lease && liveness === "live") counts[lease.state]++;
	return counts;
}
