import { jobPlan, permitted, showCard } from "./card.js";
import { filterProblem } from "./core/sessions/session-list.mjs";
import { byId } from "./dom.js";
import { addressOf, focusRow, move, scrollTo, showRows } from "./list.js";
import { drawSearch, searchAll } from "./search.js";
import { fetchJson, keepToken, listen, problemOf, Refusal, takeToken } from "./server.js";
import { add, countIn, keepOnly, remove, sessionOf, setLive, shownRows } from "./sessions.js";

/** The first page of the session list is small, so that the list appears quickly. */
const FIRST = 60;
const PAGE = 1_000;
/** @type {Steps} */
const STEPS = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -Infinity, End: Infinity };

const box = byId("card");
const list = byId("list");
const input = byId("filter");
let query = "";
/** @type {Chip} */
let shownChip = "all";
let total = 0;
/** @type {number | undefined} */
let revision;
let isLoaded = false;
/** @type {string | undefined} */
let chosen;
/** Numbers the requests for cards, so that a late response does not replace a newer card. */
let requests = 0;
let isDrawing = false;
/** @type {string | undefined} */
let lostAt;

function draw() {
	if (isDrawing) return;
	isDrawing = true;
	requestAnimationFrame(() => {
		isDrawing = false;
		drawChips();
		drawSearch(query);
		const rows = shownRows(shownChip, query);
		showRows(rows, opened());
		drawStatus();
		byId("empty").hidden = rows.length > 0 || !isLoaded;
		byId("empty").textContent =
			query || shownChip !== "all"
				? (filterProblem(query) ?? "No sessions match the filter.")
				: "There are no sessions yet. Start pi, and your sessions will appear here.";
	});
}

/**
 * A screen reader announces an element's text whenever the text is set, so unchanged text is not set
 * again.
 * @type {(element: Element, text: string) => void}
 */
function setText(element, text) {
	if (element.textContent !== text) element.textContent = text;
}

function drawStatus() {
	const all = isLoaded ? `${total} ${total === 1 ? "session" : "sessions"} · connected` : "Loading sessions…";
	const lost = lostAt && `Not connected since ${lostAt}. This page shows the last known state.`;
	byId("link").classList.toggle("stale", lost !== undefined);
	setText(byId("link"), lost ?? all);
}

function drawChips() {
	for (const button of byId("chips").querySelectorAll("button")) {
		const chip = chipOf(button);
		const { label = "" } = button.dataset;
		const count = countIn(chip, query);
		setText(button, chip === "all" || chip === "jobs" ? label : `${label} ${count}`);
		button.setAttribute("aria-pressed", String(shownChip === chip));
		button.classList.toggle("some", count > 0);
		if (chip === "waiting") document.title = count > 0 ? `(${count}) pi sessions` : "pi sessions";
	}
}

/** @param {HTMLElement} button */
const chipOf = ({ dataset }) => /** @type {Chip} */ (dataset["chip"]);

function opened() {
	return new URLSearchParams(location.hash.slice(1)).get("session") ?? undefined;
}

function route() {
	if (location.hash.startsWith("#token=")) {
		if (takeToken()) location.reload();
		return;
	}
	const id = opened();
	document.body.classList.toggle("reading", id !== undefined);
	draw();
	if (id === undefined) return focusRow(chosen);
	choose(id);
	if (isNarrow()) box.focus();
}

/** @param {string} id */
function choose(id) {
	chosen = id;
	scrollTo(id);
	loadCard();
}

function back() {
	history.replaceState(null, "", location.pathname);
	route();
}

function isNarrow() {
	return matchMedia("(max-width: 50rem)").matches;
}

async function loadCard() {
	const id = chosen;
	if (id === undefined) return;
	const request = ++requests;
	const session = sessionOf(id);
	const path = session ? `?path=${encodeURIComponent(session.path)}` : "";
	try {
		/** @type {CardJson} */
		const card = await fetchJson(`/v1/sessions/${encodeURIComponent(id)}${path}`);
		const plan = await jobPlan(card.session);
		if (request === requests) showCard(box, { ...card, plan }, back);
	} catch (error) {
		// If a session's card cannot be reloaded, the card keeps its previous content and shows no error.
		if (request !== requests || !session || box.dataset["id"] === id) return;
		// Status 409 means that several files have the same session id. `pi-sessions show` lists these files.
		const verb = error instanceof Refusal && error.status === 409 ? "show" : "resume";
		showCard(box, { session, problem: problemOf(error), resume_command: `pi-sessions ${verb} ${id}` }, back);
	}
}

async function load() {
	const seen = new Set();
	const files = new Set();
	let expected = 0;
	/** @type {number | null} */
	let offset = 0;
	for (let limit = FIRST; offset !== null; limit = PAGE) {
		/** @type {SessionsJson} */
		const page = await fetchJson(`/v1/sessions?limit=${limit}&offset=${offset}`);
		for (const { id, path } of page.sessions) {
			seen.add(id);
			files.add(path);
		}
		expected = page.total;
		add(page.sessions);
		offset = page.next_offset;
		isLoaded = true;
		draw();
	}
	// If the session list is reordered during loading, a session may be missing, so its row is kept.
	if (files.size >= expected) keepOnly(seen);
	draw();
	if (chosen !== undefined) return;
	// The URL is deliberately left unchanged, so that the first press of an arrow key selects the top row.
	const [first] = shownRows(shownChip, query);
	if (first?.state === "waiting") choose(first.id);
}

/** Converts the selected session's live state to a string, so that two states can be compared. */
function chosenState() {
	const { state, since, dialog } = sessionOf(chosen ?? "") ?? {};
	return [state, since, dialog].join();
}

/** @type {Listener} */
const on = {
	live(data) {
		const before = chosenState();
		setLive(data.live);
		const isOutdated = revision !== data.revision;
		({ total, revision } = data);
		if (isOutdated) load().then(loadCard, () => (revision = undefined));
		else if (lostAt !== undefined || chosenState() !== before) loadCard();
		connected();
	},
	sessions(data) {
		// Rows are removed before new rows are added, because a new row may have the id of a removed row.
		remove(data.removed);
		add(data.changed);
		({ total, revision } = data);
		if (data.changed.some(({ id }) => id === chosen)) loadCard();
		connected();
	},
	lost() {
		lostAt ??= new Date().toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
		draw();
	},
	refused() {
		showDoor(
			"This token is no longer valid. Open the address printed by pi-sessions serve, or paste the token from that address here.",
		);
	},
};

function connected() {
	lostAt = undefined;
	draw();
}

/** @param {string} text */
function showDoor(text) {
	const door = byId("door");
	byId("door-text").textContent = text;
	door.oncancel = (event) => event.preventDefault();
	door.onsubmit = (event) => {
		event.preventDefault();
		keepToken(
			byId("token")
				.value.trim()
				.replace(/^.*#token=/, ""),
		);
		location.reload();
	};
	door.showModal();
}

/** @param {string} text */
function filter(text) {
	query = text.trim();
	list.scrollTop = 0;
	draw();
}

function search() {
	const asked = query;
	return searchAll(asked, draw, () => asked === query);
}

/** @param {KeyboardEvent} event */
function onKey(event) {
	const { key, target } = event;
	const step = STEPS[key];
	if (event.ctrlKey || event.metaKey || event.altKey) return;
	if (key === "/" && target !== input) {
		event.preventDefault();
		input.focus();
	} else if (key === "Escape") {
		if (isNarrow() && opened() !== undefined) return back();
		input.value = "";
		input.blur();
		filter("");
	} else if (key === "Enter" && target === input && query !== "") {
		const [first] = shownRows(shownChip, query);
		if (!first) search();
		else if (first.id === opened()) route();
		else location.hash = addressOf(first.id);
	} else if (step !== undefined) {
		const isFree = target === document.body || (target instanceof Node && list.contains(target));
		if (!isFree && !(target === input && key === "ArrowDown")) return;
		event.preventDefault();
		const id = move(step, opened());
		if (id === undefined) return;
		history.replaceState(null, "", addressOf(id));
		choose(id);
		draw();
	}
}

async function start() {
	addEventListener("hashchange", route);
	if (!takeToken())
		return showDoor(
			"Run pi-sessions serve and open the address that it prints, or paste the token from that address here.",
		);
	byId("chips").onclick = ({ target }) => {
		if (!(target instanceof HTMLButtonElement)) return;
		const chip = chipOf(target);
		shownChip = shownChip === chip ? "all" : chip;
		filter(input.value);
	};
	input.oninput = () => filter(input.value);
	byId("search").onclick = search;
	// A click on a row that the keyboard has already selected does not fire `hashchange`.
	document.querySelector(".board")?.addEventListener("click", ({ target }) => {
		if (target instanceof Element && target.closest("a")?.hash === location.hash) route();
	});
	addEventListener("keydown", onKey);
	setInterval(draw, 30_000);
	if (location.hash) route();
	listen(on);
	/** @type {HealthJson | undefined} */
	const health = await fetchJson("/health").catch(() => undefined);
	if (!health) return;
	permitted.act = health.access === "act";
	permitted.open = health.features.resume.open;
	loadCard();
}

start();
