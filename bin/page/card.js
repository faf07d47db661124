import { ageOf, fill, make, stateOf } from "./dom.js";
import { WORDS } from "./words.js";

/** Shows one session. `problem`: why its recap could not be loaded. `acts`: the actions that are shown as buttons. */
export function showCard(
	box,
	{ session, recap, stored, sentences, problem, plan, first_prompt: first, resume_command: command },
	acts,
) {
	const top = box.scrollTop;
	const isSame = box.dataset.id === session.id;
	const focused =
		isSame && box.contains(document.activeElement) ? document.activeElement.dataset.act : undefined;
	box.dataset.id = session.id;
	const words = sentences ?? recap?.headline;
	const lead = words === session.title ? undefined : words;
	box.replaceChildren(
		...[
			button("back", WORDS.back, acts.back),
			make("h2", { id: "card-title" }, session.title),
			facts(session, recap),
			!session.readable &&
				make("p", { className: "lead failed" }, make("span", { className: "state" }, WORDS.damaged)),
			lead && make("p", { className: "lead" }, lead),
			!recap && make("p", { className: "lead" }, problem ?? WORDS.noRecap),
			...lines(WORDS.happened, "ul", "", sentences ? [] : recap?.bullets),
			...lines(
				WORDS.next,
				"ol",
				"next",
				recap?.next_actions.map((text, index) => labelled(text, recap.next_kinds?.[index])),
			),
			...lines(WORDS.parts, "ul", "parts", recap?.artifacts.map(artifact)),
			...(first && first !== session.title
				? [make("h3", { className: "first" }, WORDS.first), make("p", { className: "quote" }, first)]
				: []),
			plan && job(plan),
			buttons(session, command, acts),
			session.state === "closed" && make("code", { className: "command", tabIndex: 0 }, command),
			recap && !sentences && make("p", { className: "facts seen" }, origin(recap, stored)),
		].filter(Boolean),
	);
	// The card can be scrolled with keys even if it contains nothing else that can have the focus.
	box.tabIndex = 0;
	box.scrollTop = isSame ? top : 0;
	if (focused) box.querySelector(`[data-act="${focused}"]`)?.focus();
}

export function showNoCard(box) {
	delete box.dataset.id;
	box.replaceChildren(make("p", { className: "empty", id: "card-title" }, WORDS.pick));
}

function facts({ state, since, project, model, modified_at: at }, recap) {
	const now = stateOf({ state, since });
	const rest = [project, recap?.workspace?.git_branch, model, now ? "" : ageOf(at)]
		.filter(Boolean)
		.join(" · ");
	return make(
		"p",
		{ className: `facts ${state}` },
		now && make("span", { className: "state" }, now),
		now && " · ",
		rest,
	);
}

function lines(heading, tag, className, texts = []) {
	if (texts.length === 0) return [];
	const items = texts.map((text) => make("li", {}, text));
	return [make("h3", { className }, heading), make(tag, { className }, ...items)];
}

/** Returns the text, preceded by a label if it is a step of an earlier turn or an interrupted request. */
function labelled(text, kind) {
	return (WORDS.kinds[kind] ?? "") + text;
}

/** Returns everything that decides what a job does. */
function job({ prompt, needs_answer, cwd, model, tools }) {
	const facts = [
		[WORDS.instruction, prompt ?? needs_answer],
		[WORDS.folder, cwd],
		[WORDS.model, model && `${model.provider}/${model.model}`],
		[WORDS.tools, tools ? tools.join(", ") || WORDS.noTools : WORDS.allTools],
	];
	const rows = facts.flatMap(([name, text]) => (text ? [make("dt", {}, name), make("dd", {}, text)] : []));
	return make("dl", { className: "job" }, ...rows);
}

function artifact({ label, locator }) {
	return make("code", {}, label === locator || label === "" ? locator : `${label}  ${locator}`);
}

function buttons(session, command, acts) {
	// A second process would corrupt the history of a session that is open, so the command is offered only for a closed one.
	const isClosed = session.state === "closed";
	const all = isClosed ? [button("copy", WORDS.copy, () => acts.copy(command), "main")] : [];
	const opening = session.kind === "headless" ? "run" : "open";
	const act = isClosed ? opening : "goThere";
	if (acts[act]) all.push(button("open", WORDS[act], acts[act], isClosed ? "open" : "main"));
	return make("div", { className: "acts" }, ...all);
}

function button(act, text, onclick, className = act) {
	const element = make("button", { type: "button", className, onclick }, text);
	element.dataset.act = act;
	return element;
}

function origin({ generator, created_at: at }, stored) {
	if (!stored) return WORDS.made;
	const written = fill(WORDS.written, { age: ageOf(at) });
	if (generator.type === "llm") return `${written} · ${generator.provider}/${generator.model}`;
	return generator.type === "user_edited" ? `${written} · ${WORDS.edited}` : written;
}
