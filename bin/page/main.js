import { showCard } from "./card.js";
import { byId, make, marked } from "./dom.js";
import { move, scrollTo, showRows } from "./list.js";
import { fetchJson, keepToken, listen, Refusal, takeToken } from "./server.js";

/**
 * Maximum number of items per request: sessions in the first response (few, so that the page appears at once), sessions in each later
 * response, and search hits.
 */
const FIRST = 60;
const PAGE = 1_000;
const HITS = 50;
const RANK = { waiting: 0, failed: 1, finished: 2, working: 3, idle: 4, closed: 5 };
const BACKGROUND = new Set(["headless", "child"]);
/** Number of rows by which a key moves. */
const STEPS = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -Infinity, End: Infinity };

const box = byId("card");
const list = byId("list");
const input = byId("filter");
/** The sessions, keyed by id. */
const sessions = new Map();
/** The states of the open sessions, keyed by id. */
let live = new Map();
let query = "";
let words = [];
let shownChip = "all";
let total;
/** The version of the server's list that the page shows. */
let revision;
let isLoaded = false;
/** The id of the session whose card is shown. */
let chosen;
let canAct = false;
/** Whether the server is running inside tmux. */
let canOpen = false;
let isDrawing = false;
let lostAt;
let messageTimer;
/** The answers that were typed but not sent, keyed by session id. */
const answers = new Map();
/** The search of all messages for the words in the filter: its query, its hits, and a note about its progress or result. */
let search;

function add(rows) {
	for (const row of rows) {
		const known = sessions.get(row.id);
		// If several files have the same id, the newest one is shown.
		if (known && known.path !== row.path && known.modified_at > row.modified_at) continue;
		const { title, project, next, model, id, agent, first_prompt: first, recap } = row;
		const texts = [title, project, next, model, id, `agent:${agent}`, first, recap?.headline];
		const text = fold([...texts, ...(recap?.next_actions ?? [])].join("\n"));
		sessions.set(id, { ...row, text, ...live.get(id) });
	}
}

/** Sets the states of all open sessions, and marks all other sessions as closed. */
function setLive(open) {
	live = new Map(open.map(({ id, state, since, doing, dialog }) => [id, { state, since, doing, dialog }]));
	for (const [id, row] of sessions) {
		const now = live.get(id) ?? { state: "closed", since: null, doing: null, dialog: null };
		const isSame = row.state === now.state && row.since === now.since && row.doing === now.doing;
		if (!isSame) sessions.set(id, { ...row, ...now });
	}
}

function fold(text) {
	return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

function isIn(row, chip) {
	const isBackground = BACKGROUND.has(row.kind);
	if (chip === "jobs") return isBackground;
	if (isBackground && row.state === "closed" && words.length === 0) return false;
	// A closed session that failed has the same mark as an open one.
	if (chip === "failed") return row.state === "failed" || (row.state === "closed" && row.failed);
	return chip === "all" || row.state === chip;
}

/** Returns the rows to show, in order of urgency and then newest first. */
function listed() {
	return [...sessions.values()]
		.filter((row) => isIn(row, shownChip) && words.every((word) => row.text.includes(word)))
		.sort(
			(one, other) =>
				RANK[one.state] - RANK[other.state] ||
				// Among waiting sessions, the one that has waited longest comes first.
				(one.state === "waiting" && one.waiting_since - other.waiting_since) ||
				other.modified_at - one.modified_at ||
				(one.id < other.id ? -1 : 1),
		);
}

/** Draws at most once per frame, however many events arrive. */
function draw() {
	if (isDrawing) return;
	isDrawing = true;
	requestAnimationFrame(() => {
		isDrawing = false;
		drawChips();
		drawSearch();
		const rows = listed();
		showRows(rows, opened());
		const lost = lostAt && `Not connected since ${lostAt}; showing the last known state`;
		const all = `${total} ${total === 1 ? "session" : "sessions"} · connected`;
		const link = lost ?? (isLoaded ? all : "Loading …");
		byId("link").classList.toggle("stale", lost !== undefined);
		// Screen readers announce the line whenever it is set, so it is set only if it has changed.
		if (byId("link").textContent !== link) byId("link").textContent = link;
		byId("empty").hidden = rows.length > 0 || !isLoaded;
		byId("empty").textContent =
			query || shownChip !== "all"
				? "No sessions match."
				: "No sessions yet. Start pi, and they appear here.";
	});
}

function drawChips() {
	for (const button of byId("chips").children) {
		const { chip, label } = button.dataset;
		const count = [...sessions.values()].filter((row) => isIn(row, chip)).length;
		const text = chip === "all" || chip === "jobs" ? label : `${label} ${count}`;
		if (button.textContent !== text) button.textContent = text;
		button.setAttribute("aria-pressed", shownChip === chip);
		button.classList.toggle("some", count > 0);
		if (chip === "waiting") document.title = count > 0 ? `(${count}) pi sessions` : "pi sessions";
	}
}

function drawSearch() {
	if (search?.query !== query) search = undefined;
	byId("found").hidden = query === "";
	byId("search").textContent = `Search all messages for “${query}”`;
	byId("note").textContent = search?.note ?? "";
	if (byId("hits").shown === search?.hits) return;
	byId("hits").shown = search?.hits;
	const rows = (search?.hits ?? []).map(({ session, by, excerpt }) =>
		make(
			"a",
			{ className: "hit", href: `#session=${encodeURIComponent(session.id)}` },
			make("span", { className: "title" }, ...marked(session.title, query)),
			make("span", { className: "more" }, by === "user" ? "you: " : "", ...marked(excerpt, query)),
		),
	);
	byId("hits").replaceChildren(...rows);
}

/** Searches messages, commands and their output. (Titles, first prompts and recaps are found by the filter.) */
async function searchAll() {
	const asked = query;
	search = { query, note: "Searching …" };
	draw();
	const path = `/v1/search?limit=${HITS}&q=${encodeURIComponent(query)}`;
	const { hits = [], note } = await fetchJson(path).catch((error) => ({ note: problemOf(error) }));
	if (asked !== query) return;
	add(hits.map(({ session }) => session));
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

/** Returns the id in the address: the session that the user has opened, or moved to with the keyboard. */
function opened() {
	return new URLSearchParams(location.hash.slice(1)).get("session") ?? undefined;
}

/** Shows the session in the address, which changes when the user follows a link or goes back. */
function route() {
	if (location.hash.startsWith("#token=")) return takeToken() && location.reload();
	const id = opened();
	document.body.classList.toggle("reading", id !== undefined);
	draw();
	if (id === undefined) return [...list.children].find(({ row }) => row.id === chosen)?.focus();
	choose(id);
	if (isNarrow()) box.focus();
}

function choose(id) {
	chosen = id;
	scrollTo(id);
	loadCard();
}

/** Returns from the card to the list. */
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
	const path = sessions.get(id)?.path ?? "";
	try {
		const card = await fetchJson(
			`/v1/sessions/${encodeURIComponent(id)}${path && `?path=${encodeURIComponent(path)}`}`,
		);
		const plan = await jobPlan(card.session);
		if (id !== chosen) return;
		const answer = canAct && card.answerable && answerTo(card);
		const named = card.session.overlaps.map((one) => ({ ...one, title: sessions.get(one.session)?.title }));
		showCard(box, { ...card, plan, overlaps: named }, { ...acts(card.session, plan), answer });
	} catch (error) {
		const session = sessions.get(id);
		// The card already shows this session, so there is nothing to change.
		if (id !== chosen || !session || box.dataset.id === id) return;
		// If several files have this id, the message suggests `show`, which lists them.
		const verb = error.status === 409 ? "pi-sessions show" : "pi --session";
		const { copy } = acts(session);
		showCard(box, { session, problem: problemOf(error), resume_command: `${verb} ${id}` }, { back, copy });
	}
}

/** Returns what a job would do, so that the user sees it beside the button that starts the job. */
function jobPlan({ id, path, kind, state }) {
	if (!canAct || kind !== "headless" || state !== "closed") return undefined;
	return fetchJson("/v1/resume", { from_subject_id: id, path }).catch(() => undefined);
}

/** Returns the properties of the answer field for a live session. Text that could not be sent stays in the field. */
function answerTo({ session: { id, path, last_message_id: last }, recap }) {
	const keep = (text) => (text ? answers.set(id, text) : answers.delete(id));
	const address = `/v1/sessions/${encodeURIComponent(id)}/answer`;
	return {
		text: answers.get(id) ?? "",
		keep,
		send: (text) =>
			fetchJson(address, { text, path, last_message_id: recap?.last_message_id ?? last }).then(
				() => {
					keep("");
					say("Answered. The session is working.");
				},
				(error) => say(problemOf(error)),
			),
	};
}

function acts({ id, path }, plan) {
	const start = (more) =>
		fetchJson("/v1/resume", { from_subject_id: id, path, open: true, ...more }).then(
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
					? "Copied. Paste it into a terminal."
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
	for (let limit = FIRST; offset !== null; limit = PAGE) {
		const page = await fetchJson(`/v1/sessions?limit=${limit}&offset=${offset}`);
		for (const { id } of page.sessions) seen.add(id);
		add(page.sessions);
		offset = page.next_offset;
		isLoaded = true;
		draw();
	}
	for (const id of sessions.keys()) if (!seen.has(id)) sessions.delete(id);
	draw();
	if (chosen !== undefined) return;
	// A session that is waiting for the user is shown beside the list, but not opened, so the keys and the address do not change.
	const [first] = listed();
	if (first?.state === "waiting") choose(first.id);
}

const on = {
	event(name, data) {
		({ total } = data);
		if (name === "live") setLive(data.live);
		else {
			add(data.changed);
			for (const id of data.removed) sessions.delete(id);
		}
		const isOutdated = name === "live" && revision !== data.revision;
		({ revision } = data);
		if (isOutdated) load().catch(() => (revision = undefined));
		if (name === "live" || data.changed.some(({ id }) => id === chosen)) loadCard();
		lostAt = undefined;
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

function filter(text) {
	query = text.trim();
	words = fold(query).split(/\s+/).filter(Boolean);
	list.scrollTop = 0;
	draw();
}

/** Handles the keys that work anywhere on the page. */
function keys(event) {
	const { key, target } = event;
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
		const [first] = listed();
		if (!first) searchAll();
		else if (first.id === opened()) route();
		else location.hash = `session=${encodeURIComponent(first.id)}`;
	} else if (key in STEPS) {
		const isFree = target === document.body || list.contains(target);
		if (!isFree && !(target === input && key === "ArrowDown")) return;
		event.preventDefault();
		const link = move(STEPS[key], opened());
		if (!link) return;
		history.replaceState(null, "", link.href);
		choose(link.row.id);
		draw();
	}
}

function start() {
	addEventListener("hashchange", route);
	if (!takeToken()) {
		return showDoor(
			"Run pi-sessions serve and open the address that it prints, or paste the token of that address here.",
		);
	}
	byId("chips").onclick = ({ target: { dataset } }) => {
		if (dataset.chip === undefined) return;
		shownChip = shownChip === dataset.chip ? "all" : dataset.chip;
		filter(input.value);
	};
	input.oninput = () => filter(input.value);
	byId("search").onclick = searchAll;
	// The address does not change if the keys have already selected the session.
	document.querySelector(".board").onclick = ({ target }) => {
		if (target.closest("a")?.hash === location.hash) route();
	};
	addEventListener("keydown", keys);
	setInterval(draw, 30_000);
	fetchJson("/health").then(
		({ access, features }) => {
			canAct = access === "act";
			canOpen = features.resume.open;
			// Updates the buttons of the card that is shown.
			loadCard();
		},
		() => undefined,
	);
	if (location.hash) route();
	listen(on);
}

start();
