import { showCard } from "./card.js";
import { byId, make, marked } from "./dom.js";
import { List } from "./list.js";
import { fetchJson, keepToken, listen, Refusal, takeToken } from "./server.js";
import { Sessions } from "./sessions.js";

/**
 * Maximum number of items per request: sessions in the first response (few, so that the page appears at once), sessions in each later
 * response, and search hits.
 */
const FIRST = 60;
const PAGE = 1_000;
const HITS = 50;
const sessions = new Sessions();
const box = byId("card");
const input = byId("filter");
const list = new List(byId("list"), byId("rows"), choose);
let chosen;
let canAct = false;
/** The server runs inside tmux. */
let canOpen = false;
let isLoaded = false;
/** Events of the server arrive. */
let isConnected = false;
let isDrawing = false;
let lostAt;
let messageTimer;
/** The version of the server's list that the page currently shows. */
let revision;
/** The search of all messages for the words in the filter: its query, its hits, and a note about its progress or result. */
let search;

/** Draws at most once per frame, however many events arrive. */
function draw() {
	if (isDrawing) return;
	isDrawing = true;
	requestAnimationFrame(() => {
		isDrawing = false;
		drawChips();
		drawSearch();
		const rows = sessions.listed();
		list.show(rows);
		const lost = lostAt && `Not connected since ${lostAt}; showing the last known state`;
		const total = `${sessions.total} ${sessions.total === 1 ? "session" : "sessions"} · connected`;
		const link = lost ?? (isLoaded && isConnected ? total : "Loading …");
		byId("link").classList.toggle("stale", lost !== undefined);
		// The line is announced when it changes.
		if (byId("link").textContent !== link) byId("link").textContent = link;
		byId("empty").hidden = rows.length > 0 || !isLoaded;
		byId("empty").textContent =
			sessions.query || sessions.chip !== "all"
				? "No sessions match."
				: "No sessions yet. Start pi, and they appear here.";
		const { needs_you: waiting } = sessions.counts;
		document.title = waiting > 0 ? `(${waiting}) pi sessions` : "pi sessions";
	});
}

function drawChips() {
	for (const button of byId("chips").children) {
		const { chip, label } = button.dataset;
		const count = sessions.countOf(chip);
		const text = count === undefined ? label : `${label} ${count}`;
		if (button.textContent !== text) button.textContent = text;
		button.setAttribute("aria-pressed", sessions.chip === chip);
		button.classList.toggle("some", count > 0);
	}
}

function drawSearch() {
	const { query } = sessions;
	if (search?.query !== query) search = undefined;
	byId("found").hidden = query === "";
	byId("search").textContent = `Search all messages for “${query}”`;
	byId("note").textContent = search?.note ?? "";
	if (byId("hits").shown === search?.hits) return;
	byId("hits").shown = search?.hits;
	const rows = (search?.hits ?? []).map(({ session, by, excerpt }) =>
		make(
			"button",
			{ type: "button", className: "hit", onclick: () => list.pick(session.id) },
			make("span", { className: "title" }, ...marked(session.title, query)),
			make("span", { className: "more" }, by === "user" ? "you: " : "", ...marked(excerpt, query)),
		),
	);
	byId("hits").replaceChildren(...rows);
}

/** Searches messages, commands and their output. (Titles, first prompts and recaps are found by the filter.) */
async function searchAll() {
	const { query } = sessions;
	search = { query, note: "Searching …" };
	draw();
	const path = `/v1/search?limit=${HITS}&q=${encodeURIComponent(query)}`;
	const { hits = [], note } = await fetchJson(path).catch((error) => ({ note: problemOf(error) }));
	if (search?.query !== query) return;
	sessions.add(hits.map(({ session }) => session));
	search = { query, hits, note: note ?? (hits.length > 0 ? "" : "No messages match.") };
	draw();
}

/** Shows a message, and hides it after the user has had time to read it. */
function say(text) {
	byId("message").textContent = text;
	clearTimeout(messageTimer);
	if (text !== "") messageTimer = setTimeout(() => say(""), 2_500 + text.length * 60);
}

const problemOf = (error) =>
	error instanceof Refusal ? error.message : "The server is unreachable. Run pi-sessions serve again.";

/** Shows a session. `isEntered`: the user opened the session rather than merely moving to it with the keyboard. */
async function choose(id, isEntered) {
	chosen = id;
	const address = `#session=${encodeURIComponent(id)}`;
	if (isEntered) document.body.classList.add("reading");
	// On a phone, the back button leads back to the list.
	if (isEntered && isNarrow() && !history.state?.reading) history.pushState({ reading: true }, "", address);
	else history.replaceState(history.state, "", address);
	await loadCard();
	if (isEntered && isNarrow()) box.focus();
}

/** Returns from the card to the list. */
function back() {
	if (history.state?.reading) return history.back();
	history.replaceState(null, "", location.pathname);
	restore();
}

/** Shows the session that is named in the address, for example after a reload or when the user presses the browser's back button. */
function restore() {
	if (location.hash.startsWith("#token=")) return takeToken() && location.reload();
	const id = new URLSearchParams(location.hash.slice(1)).get("session");
	document.body.classList.toggle("reading", id !== null);
	if (id === null) byId("list").focus();
	else if (id !== chosen) {
		chosen = id;
		list.activate(id);
		loadCard();
	}
}

/** Shows the first session that needs the user, beside the list. Nothing is opened, so the keys and the address stay as they are. */
function showFirst() {
	const [first] = sessions.listed();
	if (first?.state !== "needs_you" || isNarrow()) return;
	chosen = first.id;
	loadCard();
}

function isNarrow() {
	return matchMedia("(max-width: 50rem)").matches;
}

async function loadCard() {
	const id = chosen;
	if (id === undefined) return;
	try {
		const card = await fetchJson(`/v1/sessions/${encodeURIComponent(id)}`);
		const plan = await jobPlan(card.session);
		if (id === chosen) showCard(box, { ...card, plan }, acts(id, plan));
	} catch (error) {
		const session = sessions.get(id);
		// The card already shows this session, so there is nothing to change.
		if (id !== chosen || !session || box.dataset.id === id) return;
		// If several files have this id, the message suggests `show`, which lists them.
		const verb = error.status === 409 ? "pi-sessions show" : "pi --session";
		const { copy } = acts(id);
		showCard(box, { session, problem: problemOf(error), resume_command: `${verb} ${id}` }, { back, copy });
	}
}

/** Returns what a job would do, so that the person sees it beside the button that starts it. */
function jobPlan({ id, kind, state }) {
	if (!canAct || kind !== "headless" || state !== "closed") return undefined;
	return fetchJson("/v1/resume", { from_subject_id: id }).catch(() => undefined);
}

function acts(id, plan) {
	const start = (more) =>
		fetchJson("/v1/resume", { from_subject_id: id, open: true, ...more }).then(
			({ log, message }) =>
				say(
					log ? `The job is running. Its output is in ${log}.` : (message ?? "Opened in a new tmux window."),
				),
			(error) => say(problemOf(error)),
		);
	const open = () => start({});
	const run = () => start({ confirmed: plan.command_line });
	return {
		back,
		copy: async (command) =>
			say(
				(await copied(command))
					? "Copied. Paste it in a terminal."
					: "Your browser does not allow this page to copy; the command is selected.",
			),
		open: canAct && canOpen && open,
		run: plan && run,
		goThere: canAct && open,
	};
}

/**
 * Copies text. Without a secure context (for example, on a phone that uses a `--lan` address), the clipboard API is not available, so the
 * text is selected and copied with `execCommand` instead.
 */
async function copied(text) {
	try {
		await navigator.clipboard.writeText(text);
		return true;
	} catch {
		getSelection().selectAllChildren(box.querySelector(".command"));
		return document.execCommand("copy");
	}
}

async function load() {
	const seen = new Set();
	let offset = 0;
	revision = undefined;
	for (let limit = FIRST; offset !== null; limit = PAGE) {
		const page = await fetchJson(`/v1/sessions?limit=${limit}&offset=${offset}`);
		for (const { id } of page.sessions) seen.add(id);
		sessions.add(page.sessions);
		sessions.total = page.total;
		revision ??= page.revision;
		sessions.counts = page.counts;
		offset = page.next_offset;
		isLoaded = true;
		draw();
	}
	sessions.keepOnly(seen);
	draw();
}

const on = {
	event(name, data) {
		if (data.total !== undefined) sessions.total = data.total;
		if (data.live) sessions.setLive(data.live, data.counts);
		if (name === "sessions") {
			sessions.add(data.changed);
			sessions.remove(data.removed);
		}
		if (name === "reload" || (name === "hello" && revision !== data.revision)) load().catch(() => on.lost());
		const isConcerned = name !== "sessions" || data.changed.some(({ id }) => id === chosen);
		if (isConcerned) loadCard();
		lostAt = undefined;
		isConnected = true;
		draw();
	},
	lost() {
		lostAt ??= new Date().toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
		draw();
	},
	refused() {
		showDoor(
			"This token is no longer valid. Open the address printed by pi-sessions serve, or paste its token here.",
		);
	},
};

function showDoor(text) {
	byId("main").hidden = true;
	byId("door").hidden = false;
	byId("link").hidden = input.hidden = byId("chips").hidden = true;
	byId("door-text").textContent = text;
	byId("door-form").onsubmit = (event) => {
		event.preventDefault();
		const token = byId("token")
			.value.trim()
			.replace(/^.*#token=/, "");
		if (!token) return;
		keepToken(token);
		location.reload();
	};
	byId("token").focus();
}

let filterTimer;
function filter(text) {
	sessions.query = text;
	draw();
	list.toTop();
	clearTimeout(filterTimer);
	const { query } = sessions;
	if (query === "") return;
	filterTimer = setTimeout(async () => {
		// If the server cannot be reached, only the loaded sessions are filtered.
		const none = { sessions: [] };
		const path = `/v1/sessions?limit=${PAGE}&q=${encodeURIComponent(query)}`;
		sessions.addFound(query, (await fetchJson(path).catch(() => none)).sessions);
		draw();
	}, 150);
}

function start() {
	addEventListener("popstate", restore);
	if (!takeToken()) {
		return showDoor(
			"Run pi-sessions serve and open the address that it prints, or paste the token of that address here.",
		);
	}
	byId("main").hidden = false;
	const empty = { className: "empty", id: "card-title" };
	box.replaceChildren(make("p", empty, "Select a session to see its recap."));
	byId("chips").onclick = ({ target }) => {
		const { chip } = target.dataset;
		if (chip === undefined) return;
		sessions.chip = sessions.chip === chip ? "all" : chip;
		list.toTop();
		draw();
	};
	input.oninput = () => filter(input.value);
	byId("search").onclick = searchAll;
	byId("above").onclick = () => list.toTop();
	list.onPaint = () => {
		const { above } = list;
		byId("above").hidden = above === 0;
		byId("above").textContent = `↑ Need you: ${above}`;
	};
	addEventListener("keydown", keys);
	setInterval(() => list.paint(), 30_000);
	fetchJson("/health").then(
		({ access, features }) => {
			canAct = access === "act";
			canOpen = features.resume.open;
			// Updates the buttons of the card that is shown.
			loadCard();
		},
		() => undefined,
	);
	if (location.hash) restore();
	draw();
	load().then(
		() => (chosen === undefined ? showFirst() : list.activate(chosen)),
		() => undefined,
	);
	listen(on);
}

/** Handles the keys that work anywhere on the page. While no element has the focus, all other keys are passed to the list. */
function keys(event) {
	const { key, target } = event;
	if (key === "/" && target !== input) {
		event.preventDefault();
		input.focus();
	} else if (key === "Escape") {
		if (isNarrow() && document.body.classList.contains("reading")) return back();
		if (target === input || input.value !== "") byId("list").focus();
		input.value = "";
		filter("");
	} else if (key === "Enter" && target === input && input.value !== "") {
		const [first] = sessions.listed();
		if (first) list.pick(first.id);
		else searchAll();
	} else if (target === document.body || (target === input && key === "ArrowDown")) {
		byId("list").focus();
		list.key(event);
	}
}

start();
