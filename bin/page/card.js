import { OVERLAPPING, PLANTED_MARK, STATE_LOOKS } from "./core/sessions/session-looks.mjs";
import { ageOf, make, stateOf } from "./dom.js";

const DAMAGED = "This session's file is damaged. The command below opens a copy of what can be read.";
const OPENING = { run: "Resume the job", open: "Open in tmux", goThere: "Go to its terminal" };

/** Shows one session. `problem`: why its recap could not be loaded. `acts`: the actions that are shown as buttons. */
export function showCard(box, card, acts) {
	const { session, recap, next = [], stored, sentences, problem, plan } = card;
	const { first_prompt: first, resume_command: command, overlaps = [] } = card;
	const top = box.scrollTop;
	const isSame = box.dataset.id === session.id;
	const focused = isSame && box.contains(document.activeElement) && document.activeElement.dataset.act;
	const isClosed = session.state === "closed";
	const words = recap?.text ?? recap?.headline;
	const isRepeated = words && (words === session.title || next.some((text) => text.endsWith(words)));
	const lead = recap ? !isRepeated && words : (problem ?? "There is no prompt in this session yet.");
	box.dataset.id = session.id;
	box.replaceChildren(
		button("back", "Back", acts.back),
		make("h2", { id: "card-title" }, session.title),
		facts(session, recap),
		...(card.damaged
			? [make("p", { className: "lead error" }, make("span", { className: "state" }, DAMAGED))]
			: []),
		...(sentences && recap.headline !== session.title
			? [make("p", { className: "facts" }, recap.headline)]
			: []),
		...(lead ? [make("p", { className: "lead" }, lead)] : []),
		...overlaps.map((one) => make("p", { className: "facts warning" }, overlapText(one))),
		...lines("What happened", "ul", "", recap?.bullets),
		...lines("Next", "ol", "next", next),
		...(acts.answer ? [answerForm(acts.answer)] : []),
		...lines("Artifacts", "ul", "parts", recap?.artifacts.map(artifact)),
		...(first && first !== session.title
			? [make("h3", { className: "first" }, "First prompt"), make("p", { className: "quote" }, first)]
			: []),
		...(plan ? [job(plan)] : []),
		buttons(session, command, acts),
		...(isClosed ? [make("code", { className: "command", tabIndex: 0 }, command)] : []),
		...(recap && !sentences ? [make("p", { className: "facts seen" }, origin(recap, stored))] : []),
	);
	// The card can be focused so that keys scroll it even if it contains no focusable element.
	box.tabIndex = 0;
	box.scrollTop = isSame ? top : 0;
	if (focused) box.querySelector(`[data-act="${focused}"]`)?.focus();
}

function overlapText({ path, at, title }) {
	const time = new Date(at * 1_000).toLocaleTimeString("sv", { timeStyle: "short" });
	return `${OVERLAPPING} ${path}: also changed at ${time} in ${title === undefined ? "another session" : `“${title}”`}`;
}

/** Returns the input field for an answer to the session's question. Enter sends the answer; Shift+Enter begins a new line. */
function answerForm({ text, keep, send }) {
	const field = make("textarea", { id: "answer", rows: 2, value: text, oninput: () => keep(field.value) });
	field.dataset.act = "answer";
	const submit = () => field.value.trim() && send(field.value);
	field.onkeydown = (event) => {
		if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
		event.preventDefault();
		submit();
	};
	return make(
		"div",
		{ className: "answer" },
		make("label", { htmlFor: "answer" }, "Your answer"),
		field,
		button("send", "Send", submit, "main"),
	);
}

function facts(session, recap) {
	const { mark, planted, project, model, modified_at: at, state } = session;
	const now = stateOf(session).join("");
	const branch = recap?.workspace?.git_branch;
	const rest = [
		mark,
		planted && PLANTED_MARK,
		project,
		branch,
		model,
		state === "closed" && ageOf(at),
	].filter(Boolean);
	const shown = now && make("span", { className: "state" }, now);
	return make("p", { className: `facts ${STATE_LOOKS[state].color}` }, shown, now && " · ", rest.join(" · "));
}

function lines(heading, tag, className, texts = []) {
	if (texts.length === 0) return [];
	const items = texts.map((text) => make("li", {}, text));
	return [make("h3", { className }, heading), make(tag, { className }, ...items)];
}

function job({ prompt, needs_answer, cwd, model, tools }) {
	const facts = [
		["Instruction", prompt ?? needs_answer],
		["Folder", cwd],
		["Model", model && `${model.provider}/${model.model}`],
		["Tools", tools ? tools.join(", ") || "none" : "all"],
	];
	const rows = facts.flatMap(([name, text]) => (text ? [make("dt", {}, name), make("dd", {}, text)] : []));
	return make("dl", { className: "job" }, ...rows);
}

function artifact({ label, locator }) {
	return make("code", {}, locator.endsWith(label) ? locator : `${label}  ${locator}`);
}

function buttons({ state, kind }, command, acts) {
	// A second process would corrupt an open session's history, so the command is offered only for a closed session.
	const isClosed = state === "closed";
	const copy = isClosed && button("copy", "Copy the resume command", () => acts.copy(command), "main");
	const opening = kind === "headless" ? "run" : "open";
	const act = isClosed ? opening : "goThere";
	const open = acts[act] && button("open", OPENING[act], acts[act], isClosed ? "open" : "main");
	return make("div", { className: "acts" }, copy, open);
}

function button(act, text, onclick, className = act) {
	const element = make("button", { type: "button", className, onclick }, text);
	element.dataset.act = act;
	return element;
}

function origin({ generator, created_at: at }, stored) {
	if (!stored) return "Generated now, not saved";
	const age = ageOf(at);
	const written = `Recap written ${age === "now" ? "just now" : `${age} ago`}`;
	if (generator.type === "llm") return `${written} · ${generator.provider}/${generator.model}`;
	return generator.type === "user_edited" ? `${written} · in your own words` : written;
}
