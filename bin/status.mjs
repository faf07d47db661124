// One line for a prompt or a status bar, from the leases of live sessions alone.
import { countStates } from "./leases.mjs";
import { agentDirIn } from "./place.mjs";

const USAGE = "usage: pi-sessions status [--format plain|tmux|json]";

/** Prints it; gives the exit code. */
export function status(args, { env, stdout, stderr }) {
	const format = formatIn(args);
	if (format === undefined) {
		stderr.write(`${USAGE}\n`);
		return 2;
	}
	const counts = countStates(agentDirIn(env));
	if (format === "json") stdout.write(`${JSON.stringify(counts)}\n`);
	else stdout.write(`${statusLine(counts, format)}\n`);
	return 0;
}

/** What needs the user first; nothing where no session is open. Idle ones are not worth a place in a prompt. */
export function statusLine({ needs_you, failed, working }, format) {
	const paint = format === "tmux" ? inTmux : (text) => text;
	const parts = [];
	if (needs_you > 0) parts.push(paint(`${needs_you} ${needs_you === 1 ? "needs" : "need"} you`, "yellow"));
	if (failed > 0) parts.push(paint(`${failed} failed`, "red"));
	if (working > 0) parts.push(paint(`${working} working`, "green"));
	return parts.join(" · ");
}

function inTmux(text, colour) {
	return `#[fg=${colour}]${text}#[default]`;
}

function formatIn(args) {
	const found = /^(?:--format[= ](plain|tmux|json))?$/.exec(args.join(" "));
	return found ? (found[1] ?? "plain") : undefined;
}
