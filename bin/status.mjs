// @ts-check
// Prints one line for a prompt or a status bar. Reads only the leases of live sessions.
import { stripVTControlCharacters } from "node:util";
import { liveFolder, storedLeases } from "../session-core/sessions/live/liveness.mjs";
import { hostIn } from "./place.mjs";

/** @typedef {{ write(text: string): unknown }} Output */

const USAGE = "usage: pi-sessions status [--format plain|tmux|json]";
/** Maximum length of the text that describes what a session is doing, in UTF-16 code units. */
const DOING = 60;
/** The states that are shown, with their colors in tmux. Idle sessions are left out to save space in a prompt. */
const SHOWN = /** @type {const} */ ({ waiting: "yellow", failed: "red", finished: "cyan", working: "green" });

/**
 * Prints the states of the live sessions, or nothing if all of them are idle. Returns the exit code.
 * @param {readonly string[]} args
 * @param {{ env: Readonly<Record<string, string | undefined>>, stdout: Output, stderr: Output }} process
 */
export function status(args, { env, stdout, stderr }) {
	const typed = /^(?:--format[= ](plain|tmux|json))?$/.exec(args.join(" "));
	if (!typed) {
		stderr.write(`${USAGE}\n`);
		return 2;
	}
	const isTmux = typed[1] === "tmux";
	const { counts, doing } = readStates(hostIn(env).agentDir);
	const parts = Object.entries(SHOWN).flatMap(([state, color]) => {
		const count = counts[/** @type {keyof typeof SHOWN} */ (state)];
		if (count === 0) return [];
		return isTmux ? `#[fg=${color}]${count} ${state}#[default]` : `${count} ${state}`;
	});
	// In tmux formats, `#` begins a style or a command.
	const [only] = counts.working === 1 ? doing : [];
	const detail = only && (isTmux ? only.replaceAll("#", "##") : only);
	const plain = [parts.join(" · "), detail].filter(Boolean).join(": ");
	const line = typed[1] === "json" ? JSON.stringify({ ...counts, doing }) : plain;
	if (line !== "") stdout.write(`${line}\n`);
	return 0;
}

/**
 * Counts the live sessions in each state, and returns what the working sessions are doing.
 * @param {string} agentDir
 */
function readStates(agentDir) {
	/** @type {string[]} */
	const doing = [];
	const counts = { waiting: 0, failed: 0, finished: 0, working: 0, idle: 0 };
	for (const { lease, liveness } of storedLeases(liveFolder(agentDir), Date.now()))
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
