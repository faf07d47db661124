import { byId } from "./dom.js";
import { fetchJson, problemOf } from "./server.js";

/**
 * `act` means that the token allows the user to answer and open sessions. `open` means that the server
 * can open tmux windows.
 */
export const permitted = { act: false, open: false };

/** @type {Map<string, string>} */
const drafts = new Map();
/** @type {Timer | undefined} */
let messageTimer;

/** @param {string} text */
function say(text) {
	byId("message").textContent = text;
	clearTimeout(messageTimer);
	if (text !== "") messageTimer = setTimeout(() => say(""), 2_500 + text.length * 60);
}

/**
 * Sends a request and shows the result or the error at the bottom of the page.
 * @type {<Answer>(address: string, body: object, done: (answer: Answer) => string) => Promise<void>}
 */
async function request(address, body, done) {
	try {
		say(done(await fetchJson(address, body)));
	} catch (error) {
		say(problemOf(error));
	}
}

/**
 * Returns the plan that the user must confirm before a job is resumed. Returns undefined for a session
 * that is not a job.
 * @type {(session: SessionJson) => Promise<ResumeJson | undefined>}
 */
export async function jobPlan({ id, path, kind, state }) {
	if (!permitted.act || kind !== "headless" || state !== "closed") return undefined;
	return fetchJson("/v1/resume", { from_subject_id: id, path }).catch(() => undefined);
}

/**
 * Returns the user's draft answer and the functions that save and send an answer. Returns undefined if
 * the user may not answer the session's question. If an answer cannot be sent, the draft is kept.
 * @param {Answerable} card
 */
export function answerTo({ session: { id, path, last_message_id: last }, recap, answerable }) {
	if (!permitted.act || !answerable) return undefined;
	const keep = (/** @type {string} */ text) => void (text ? drafts.set(id, text) : drafts.delete(id));
	const address = `/v1/sessions/${encodeURIComponent(id)}/answer`;
	const send = (/** @type {string} */ text) =>
		request(address, { text, path, last_message_id: recap?.last_message_id ?? last }, () => {
			keep("");
			return "Your answer was submitted, and the agent is working on it.";
		});
	return { text: drafts.get(id) ?? "", keep, send };
}

/**
 * Returns the label and the action of the button that opens a session, if the user may open that
 * session.
 * @type {(session: Pick<SessionJson, "id" | "path" | "kind" | "state">, plan?: ResumeJson) => Opener |
 * false | undefined}
 */
export function openerOf({ id, path, kind, state }, plan) {
	const open =
		(/** @type {object} */ more = {}) =>
		() => {
			const body = { from_subject_id: id, path, open: true, ...more };
			request("/v1/resume", body, (/** @type {ResumeJson} */ { log, message }) =>
				log
					? `The job is running. Its output is in ${log}.`
					: (message ?? "The session was opened in a new tmux window."),
			);
		};
	if (state !== "closed") return permitted.act && ["Go to the session's terminal", open()];
	if (kind === "headless") return plan && ["Resume the job", open({ confirmed: plan.command_line })];
	return permitted.act && permitted.open && ["Open in tmux", open()];
}

/** @param {string} command */
export async function copy(command) {
	say(
		(await isCopied(command))
			? "The command was copied. Paste it into a terminal."
			: "Your browser blocked copying. Press Ctrl+C or ⌘C to copy the selected command.",
	);
}

/**
 * The clipboard API requires a secure context, which a page opened through `--lan` does not have. On such
 * a page, the text is selected and copied with `execCommand`.
 * @param {string} text
 */
async function isCopied(text) {
	try {
		await navigator.clipboard.writeText(text);
		return true;
	} catch {
		const command = byId("card").querySelector(".command");
		if (command) getSelection()?.selectAllChildren(command);
		return document.execCommand("copy");
	}
}
