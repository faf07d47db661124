// @ts-check
// Prints one line for a prompt or a status bar. Reads only the leases of live sessions.
import { stripVTControlCharacters } from "node:util";
import { liveFolder, storedLeases } from "../session-core/sessions/live/liveness.mjs";
import { hostIn } from "./place.mjs";

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
	const { counts, doing } = readStates(hostIn(env).agentDir, Date.now());
	const line = format === "json" ? JSON.stringify({ ...counts, doing }) : statusLine(counts, format, doing);
	if (line !== "") stdout.write(`${line}\n`);
	return 0;
}

/**
 * Returns the line, with the sessions that are waiting for the user first. Idle sessions are left out to save space in a prompt, so the line is
 * empty if there are no other sessions.
 * @param {Counts} counts
 * @param {string} format
 * @param {string[]} doing
 */
function statusLine({ waiting, failed, finished, working }, format, doing) {
	/** @type {[color: string, count: number, state: string][]} */
	const parts = [
		["yellow", waiting, "waiting"],
		["red", failed, "failed"],
		["cyan", finished, "finished"],
		["green", working, "working"],
	];
	const texts = parts
		.filter(([, count]) => count > 0)
		.map(([color, count, state]) =>
			format === "tmux" ? `#[fg=${color}]${count} ${state}#[default]` : `${count} ${state}`,
		);
	// In tmux formats, `#` begins a style or a command.
	const [only] = working === 1 ? doing : [];
	const detail = only && (format === "tmux" ? only.replaceAll("#", "##") : only);
	return [texts.join(" · "), detail].filter(Boolean).join(": ");
}

/** Maximum length of the text that describes what a session is doing, in UTF-16 code units. */
const DOING = 60;

/**
 * Counts the live sessions in each state, and returns what the working ones are doing.
 * @param {string} agentDir
 * @param {number} now
 */
function readStates(agentDir, now) {
	/** @type {string[]} */
	const doing = [];
	/** @type {Counts} */
	const counts = { waiting: 0, failed: 0, finished: 0, working: 0, idle: 0 };
	for (const { lease, liveness } of storedLeases(liveFolder(agentDir), now))
		if (lease && liveness === "live") {
			counts[lease.state]++;
			if (lease.state === "working" && typeof lease.doing === "string") doing.push(plainText(lease.doing));
		}
	return { counts, doing };
}

/**
 * Removes control characters from a text, and shortens it to a length that fits into a prompt.
 * @param {string} text
 */
function plainText(text) {
	const plain = stripVTControlCharacters(text).replace(/[\p{Cc}\p{Cf}]/gu, "");
	return plain.length > DOING ? `${plain.slice(0, DOING - 1).toWellFormed()}…` : plain;
}
