// @ts-check
// Prints one line for a prompt or a status bar. Reads nothing but the leases of live sessions.
import { liveFolder, storedLeases } from "../session-core/live/liveness.mjs";
import { agentDirIn } from "./place.mjs";

/** @typedef {{ needs_you: number, failed: number, working: number, idle: number }} Counts */

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
 * Returns the line, with the sessions that need the user first. Idle sessions are left out to save space in a prompt, so the line is
 * empty if there are no other sessions.
 * @param {Counts} counts
 * @param {string} format
 */
function statusLine({ needs_you, failed, working }, format) {
	const parts = [];
	if (needs_you > 0) parts.push(["yellow", `${needs_you} ${needs_you === 1 ? "needs" : "need"} you`]);
	if (failed > 0) parts.push(["red", `${failed} failed`]);
	if (working > 0) parts.push(["green", `${working} working`]);
	return parts
		.map(([color, text]) => (format === "tmux" ? `#[fg=${color}]${text}#[default]` : text))
		.join(" · ");
}

/**
 * Counts the live sessions in each state.
 * @param {string} agentDir
 * @param {number} now
 */
function countStates(agentDir, now) {
	/** @type {Counts} */
	const counts = { needs_you: 0, failed: 0, working: 0, idle: 0 };
	for (const { lease, liveness } of storedLeases(liveFolder(agentDir), now))
		if (lease && liveness === "live") counts[lease.state]++;
	return counts;
}
