import { overlapLine, PLANTED_MARK, STATE_LOOKS } from "./core/sessions/session-looks.mjs";
import { ageOf, byId, make, refill, stateOf } from "./dom.js";
import { fetchJson, problemOf } from "./server.js";
import { sessionOf } from "./sessions.js";

const DAMAGED = "This session's file is damaged. The command below opens a repaired copy.";

/**
 * Shows a session's card. If this card is already shown, the focused button keeps the focus.
 * @type {(box: HTMLElement, card: Card, back: () => void) => void}
 */
export function showCard(box, card, back) {
	const { session, recap, bullets, next = [], damaged, stored = false, sentences, plan, problem } = card;
	const { first_prompt: first, resume_command: command } = card;
	const top = box.scrollTop;
	const isSame = box.dataset["id"] === session.id;
	const active = /** @type {HTMLElement | null} */ (box.querySelector(":focus"));
	const focused = isSame && active?.dataset["act"];
	const words = recap?.text ?? recap?.headline ?? "";
	const isRepeated = words === session.title || next.some((text) => text.endsWith(words));
	const lead = recap ? !isRepeated && words : (problem ?? "This session has no prompts yet.");
	// A live session has no resume command, because a second process would corrupt the session's history.
	const isClosed = session.state === "closed";
	const [opens = "", open] = (!problem && openerOf(session, plan)) || [];
	box.dataset["id"] = session.id;
	refill(
		box,
		button("back", "Back", back),
		make("h2", { id: "card-title" }, session.title),
		facts(session, recap),
		damaged && make("p", { className: "lead error" }, make("span", { className: "state" }, DAMAGED)),
		sentences && recap && recap.headline !== session.title && paragraph("facts", recap.headline),
		lead && paragraph("lead", lead),
		session.overlaps.map((one) => paragraph("facts warning", overlapText(one))),
		lines("What happened", make("ul", {}), bullets),
		lines("Next", make("ol", { className: "next" }), next),
		answerForm(answerTo(card)),
		lines("Artifacts", make("ul", { className: "parts" }), recap?.artifacts.map(artifact)),
		first && first !== session.title && make("h3", { className: "first" }, "First prompt"),
		first && first !== session.title && paragraph("quote", first),
		plan && job(plan),
		make(
			"div",
			{ className: "acts" },
			isClosed && button("copy", "Copy the resume command", () => copy(command), "main"),
			open && button("open", opens, open, isClosed ? "open" : "main"),
		),
		isClosed && make("code", { className: "command", tabIndex: 0 }, command),
		recap && !sentences && paragraph("facts seen", origin(recap, stored)),
	);
	// A card can receive focus, so that users can scroll it with the keyboard.
	box.tabIndex = 0;
	box.scrollTop = isSame ? top : 0;
	if (focused) /** @type {HTMLElement | null} */ (box.querySelector(`[data-act="${focused}"]`))?.focus();
}

const paragraph = (/** @type {string} */ className, /** @type {string} */ text) =>
	make("p", { className }, text);

/**
 * Creates a button. `act` identifies the button after the card has been redrawn.
 * @type {(act: string, text: string, onclick: () => void, className?: string) => HTMLElement}
 */
function button(act, text, onclick, className = act) {
	const element = make("button", { type: "button", className, onclick }, text);
	element.dataset["act"] = act;
	return element;
}

/** @param {Overlap} overlap */
function overlapText({ path, at, session }) {
	const title = sessionOf(session)?.title;
	const time = new Date(at * 1_000).toLocaleTimeString("sv", { timeStyle: "short" });
	return overlapLine({ path, time, title });
}

/** @param {ReturnType<typeof answerTo>} answer */
function answerForm(answer) {
	if (!answer) return undefined;
	const { text, keep, send } = answer;
	const field = make("textarea", { id: "answer", rows: 2, value: text });
	field.oninput = () => keep(field.value);
	field.dataset["act"] = "answer";
	const submit = () => {
		if (field.value.trim()) send(field.value);
	};
	field.onkeydown = (event) => {
		if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
		event.preventDefault();
		submit();
	};
	const label = make("label", { htmlFor: "answer" }, "Your answer");
	return make("div", { className: "answer" }, label, field, button("send", "Send", submit, "main"));
}

/**
 * Returns the line below a card's title. The line shows the state, project, branch, model and age.
 * @type {(session: Shown, recap: Recap | null | undefined) => HTMLElement}
 */
function facts(session, recap) {
	const { mark, planted, project, model, modified_at: at, state } = session;
	const now = stateOf(session).join("");
	const branch = recap?.workspace?.git_branch;
	const age = state === "closed" && ageOf(at);
	const rest = [mark, planted && PLANTED_MARK, project, branch, model, age].filter(Boolean);
	const shown = now !== "" && make("span", { className: "state" }, now);
	return make("p", { className: `facts ${STATE_LOOKS[state].color}` }, shown, now && " · ", rest.join(" · "));
}

/**
 * Returns a heading and a list, or an empty array if the list would be empty.
 * @type {(heading: string, list: HTMLElement, texts?: readonly (string | Node)[]) => Node[]}
 */
function lines(heading, list, texts = []) {
	if (texts.length === 0) return [];
	const items = texts.map((text) => make("li", {}, text));
	return [make("h3", { className: list.className }, heading), refill(list, items)];
}

/** @param {ResumeJson} plan */
function job({ prompt, needs_answer, cwd, model, tools }) {
	const facts = {
		Instruction: prompt ?? needs_answer,
		Folder: cwd,
		Model: model && `${model.provider}/${model.model}`,
		Tools: tools ? tools.join(", ") || "none" : "all",
	};
	const rows = Object.entries(facts).filter(([, text]) => text);
	const cells = rows.flatMap(([name, text]) => [make("dt", {}, name), make("dd", {}, text)]);
	return make("dl", { className: "job" }, ...cells);
}

/** @param {Artifact} artifact */
function artifact({ label, locator }) {
	return make("code", {}, locator.endsWith(label) ? locator : `${label}  ${locator}`);
}

/**
 * Describes when a recap was written, and whether the user or a model wrote it.
 * @type {(recap: Recap, stored: boolean) => string}
 */
function origin({ generator, created_at: at }, stored) {
	if (!stored) return "This recap was just generated and has not been saved";
	const age = ageOf(at);
	const written = age === "now" ? "Recap written just now" : `Recap written ${age} ago`;
	if (generator.type === "llm") return `${written} · ${generator.provider}/${generator.model}`;
	return [written, generator.type === "user_edited" && "in your own words"].filter(Boolean).join(" · ");
}

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
 * @param {Card} card
 */
function answerTo({ session: { id, path, last_message_id: last }, recap, answerable }) {
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
 * @type {(session: Shown, plan?: ResumeJson) => Opener | false | undefined}
 */
function openerOf({ id, path, kind, state }, plan) {
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
async function copy(command) {
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
