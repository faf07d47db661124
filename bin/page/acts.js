/** What the user can do with the session whose card is shown. */
import { byId } from "./dom.js";
import { fetchJson, Refusal } from "./server.js";

/** What the user is permitted to do. `act`: the token permits answering and opening sessions. `open`: the server can open tmux windows. */
export const permitted = { act: false, open: false };

const answers = new Map();
let messageTimer;

/** Shows a message, and hides it after the user has had time to read it. */
function say(text) {
	byId("message").textContent = text;
	clearTimeout(messageTimer);
	if (text !== "") messageTimer = setTimeout(() => say(""), 2_500 + text.length * 60);
}

export const problemOf = (error) =>
	error instanceof Refusal ? error.message : "The server is unreachable. Run pi-sessions serve again.";

function request(address, body, done) {
	return fetchJson(address, body).then(
		(answer) => say(done(answer)),
		(error) => say(problemOf(error)),
	);
}

/** Returns what a job would do, which the card shows above the button that starts the job. */
export function jobPlan({ id, path, kind, state }) {
	if (!permitted.act || kind !== "headless" || state !== "closed") return undefined;
	return fetchJson("/v1/resume", { from_subject_id: id, path }).catch(() => undefined);
}

/**
 * Returns the text of a live session's answer field, and the functions that store and send it. Text that cannot be sent stays in the field.
 */
export function answerTo({ session: { id, path, last_message_id: last }, recap, answerable }) {
	if (!permitted.act || !answerable) return undefined;
	const keep = (text) => (text ? answers.set(id, text) : answers.delete(id));
	const address = `/v1/sessions/${encodeURIComponent(id)}/answer`;
	const send = (text) =>
		request(address, { text, path, last_message_id: recap?.last_message_id ?? last }, () => {
			keep("");
			return "Answered. The session is working.";
		});
	return { text: answers.get(id) ?? "", keep, send };
}

/** Returns the buttons' functions. A button that has no function is not shown. */
export function actsOf({ id, path }, plan) {
	const start = (more) =>
		request("/v1/resume", { from_subject_id: id, path, open: true, ...more }, ({ log, message }) =>
			log ? `The job is running. Its output is in ${log}.` : (message ?? "Opened in a new tmux window."),
		);
	const open = () => start({});
	return {
		copy,
		open: permitted.act && permitted.open && open,
		run: plan && (() => start({ confirmed: plan.command_line })),
		goThere: permitted.act && open,
	};
}

async function copy(command) {
	say(
		(await isCopied(command))
			? "Copied. Paste it into a terminal."
			: "Your browser does not let this page copy text. The command is selected, so you can copy it yourself.",
	);
}

/**
 * Copies text. Without a secure context (for example, on a phone that uses a `--lan` address), the clipboard API is not available, so the
 * text is selected and copied with `execCommand` instead.
 */
async function isCopied(text) {
	try {
		await navigator.clipboard.writeText(text);
		return true;
	} catch {
		getSelection().selectAllChildren(byId("card").querySelector(".command"));
		return document.execCommand("copy");
	}
}
