/** The actions that the user can perform on the session whose card is shown. */
import { byId } from "./dom.js";
import { fetchJson, problemOf } from "./server.js";

/** The user's permissions. `act`: the token permits answering and opening sessions. `open`: the server can open tmux windows. */
export const permitted = { act: false, open: false };

/** Answers that have been typed but not sent, keyed by session id. */
const typed = new Map();
let messageTimer;

/** Shows a message, and hides it after the user has had time to read it. */
function say(text) {
	byId("message").textContent = text;
	clearTimeout(messageTimer);
	if (text !== "") messageTimer = setTimeout(() => say(""), 2_500 + text.length * 60);
}

function request(address, body, done) {
	return fetchJson(address, body).then(
		(answer) => say(done(answer)),
		(error) => say(problemOf(error)),
	);
}

/** Returns the plan of a closed job (instruction, folder, model and tools), which the card shows above the button that starts the job. */
export async function jobPlan({ id, path, kind, state }) {
	if (!permitted.act || kind !== "headless" || state !== "closed") return undefined;
	return fetchJson("/v1/resume", { from_subject_id: id, path }).catch(() => undefined);
}

/**
 * Returns the text of a live session's answer field, and the functions that store and send this text. Returns undefined if the session
 * cannot be answered. If sending fails, the text stays in the field.
 */
export function answerTo({ session: { id, path, last_message_id: last }, recap, answerable }) {
	if (!permitted.act || !answerable) return undefined;
	const keep = (text) => (text ? typed.set(id, text) : typed.delete(id));
	const address = `/v1/sessions/${encodeURIComponent(id)}/answer`;
	const send = (text) =>
		request(address, { text, path, last_message_id: recap?.last_message_id ?? last }, () => {
			keep("");
			return "Your answer was submitted, and the session is working.";
		});
	return { text: typed.get(id) ?? "", keep, send };
}

/** Returns the label and the function of the button that opens a session, or a falsy value if the page cannot open the session. */
export function openerOf({ id, path, kind, state }, plan) {
	const open = (more) => () =>
		request("/v1/resume", { from_subject_id: id, path, open: true, ...more }, ({ log, message }) =>
			log
				? `The job is running. Its output is in ${log}.`
				: (message ?? "The session was opened in a new tmux window."),
		);
	if (state !== "closed") return permitted.act && ["Go to the session's terminal", open()];
	if (kind === "headless") return plan && ["Resume the job", open({ confirmed: plan.command_line })];
	return permitted.act && permitted.open && ["Open in tmux", open()];
}

export async function copy(command) {
	say(
		(await isCopied(command))
			? "The command was copied. Paste it into a terminal."
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
