// @ts-check
import { stripVTControlCharacters } from "node:util";
import { liveFolder, storedLeases } from "../session-core/sessions/live/liveness.mjs";
import { hostIn } from "./place.mjs";

/**
 * The standard output stream or the standard error stream.
 * @typedef {{ write(text: string): unknown }} Output
 */

const USAGE = "usage: pi-sessions status [--format plain|tmux|json]";
const MAX_DOING_LENGTH = 60;
/** Maps states to tmux colors. Idle sessions are left out to save space in a shell prompt. */
const SHOWN = /** @type {const} */ ({ waiting: "yellow", failed: "red", finished: "cyan", working: "green" });

/**
 * Prints the number of live sessions in each state. Only the JSON format includes idle sessions. Returns
 * the exit code.
 * @param {readonly string[]} args
 * @param {{ env: Readonly<Record<string, string | undefined>>, stdout: Output, stderr: Output }}
 * process
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
	// tmux interprets `#` as the beginning of a style or command, so `#` is doubled.
	const [only] = counts.working === 1 ? doing : [];
	const detail = only && (isTmux ? only.replaceAll("#", "##") : only);
	const plain = [parts.join(" · "), detail].filter(Boolean).join(": ");
	const line = typed[1] === "json" ? JSON.stringify({ ...counts, doing }) : plain;
	if (line !== "") stdout.write(`${line}\n`);
	return 0;
}

/** @param {string} agentDir */
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

/** @param {string} text */
function plainText(text) {
	const plain = stripVTControlCharacters(text).replace(/[\p{Cc}\p{Cf}]/gu, "");
	return plain.length > MAX_DOING_LENGTH ? `${plain.slice(0, MAX_DOING_LENGTH - 1).toWellFormed()}…` : plain;
}
