import { showCard, showNoCard } from "./card.js";
import { byId, fill, make } from "./dom.js";
import { GLYPHS, List } from "./list.js";
import { ask, dropToken, hear, keepToken, Refusal, takeToken } from "./server.js";
import { Sessions } from "./sessions.js";
import { WORDS } from "./words.js";

const FIRST = 60;
const PAGE = 1_000;
/** What the list can be narrowed down to, and its words. */
const CHIPS = {
	all: "all",
	needs_you: "chipNeeds",
	failed: "chipFailed",
	working: "chipWorking",
	jobs: "jobs",
};

const sessions = new Sessions();
const box = byId("card");
const list = new List(byId("list"), byId("rows"), (id, isEntered) => choose(id, isEntered ?? true));
let chosen;
let canAct = false;
/** The server runs inside tmux. */
let canOpen = false;
let isLoaded = false;
let isDrawing = false;
let lostAt;
let saying;
/** Which list of the server is shown. */
let revision;

/** Draws at most once a frame, however much comes in. */
function draw() {
	if (isDrawing) return;
	isDrawing = true;
	requestAnimationFrame(() => {
		isDrawing = false;
		drawChips();
		const rows = sessions.listed();
		list.show(rows);
		byId("empty").hidden = rows.length > 0 || !isLoaded;
		byId("empty").textContent = sessions.query || sessions.chip !== "all" ? WORDS.nothing : WORDS.none;
		const { needs_you: waiting } = sessions.counts;
		document.title = waiting > 0 ? `(${waiting}) pi sessions` : "pi sessions";
	});
}

function drawChips() {
	for (const button of byId("chips").children) {
		const { chip } = button.dataset;
		const count = sessions.counts[chip];
		const text = count === undefined ? WORDS[CHIPS[chip]] : `${WORDS[CHIPS[chip]]} ${count}`;
		if (button.textContent !== text) button.textContent = text;
		button.setAttribute("aria-pressed", String(sessions.chip === chip));
		button.classList.toggle("some", count > 0);
		button.dataset.short = `${GLYPHS[chip] ?? "≡"} ${count ?? ""}`;
	}
}

/** Says what came of something, for as long as it takes to read it. */
function say(text) {
	byId("said").textContent = text;
	clearTimeout(saying);
	if (text !== "") saying = setTimeout(() => say(""), 2_500 + text.length * 60);
}

/** The line at the top: all is live, or since when it is not. */
function link(text, isStale) {
	const line = byId("link");
	line.classList.toggle("stale", isStale);
	if (line.textContent !== text) line.textContent = text;
}

/** `isEntered`: the user wants to read it now; else they only pass by. */
async function choose(id, isEntered) {
	chosen = id;
	if (isEntered) {
		document.body.classList.add("reading");
		// On a phone, the way back is the phone's own.
		if (isNarrow() && !history.state?.reading) history.pushState({ reading: true }, "");
	}
	await loadCard();
	if (isEntered && isNarrow()) box.focus();
}

function isNarrow() {
	return matchMedia("(max-width: 50rem)").matches;
}

async function loadCard() {
	const id = chosen;
	if (id === undefined) return;
	try {
		const card = await ask(`/v1/sessions/${encodeURIComponent(id)}`);
		if (id === chosen) showCard(box, card, acts(id));
	} catch (error) {
		if (id !== chosen) return;
		if (error instanceof Refusal) say(error.message);
		const session = sessions.get(id);
		// Not connected: what the list knows is shown, or the card as it was.
		if (session && box.dataset.id !== id) {
			// Several files have this id: what lists them.
			const verb = error instanceof Refusal && error.status === 409 ? "pi-sessions show" : "pi --session";
			showCard(box, { session, resume_command: `${verb} ${id}` }, acts(id));
		}
	}
}

function acts(id) {
	const open = async () => {
		const asked = ask("/v1/resume", { from_subject_id: id, open: true });
		say(
			await asked.then(
				({ told }) => told ?? WORDS.opened,
				({ message }) => message,
			),
		);
	};
	return {
		back: () => history.back(),
		copy: async (command) => say((await copied(command)) ? WORDS.copied : WORDS.notCopied),
		open: canAct && canOpen ? open : undefined,
		goThere: canAct ? open : undefined,
	};
}

/** Outside a secure context (a phone in the local network) there is no clipboard: the old way, else the text is selected. */
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
		const page = await ask(`/v1/sessions?limit=${limit}&offset=${offset}`);
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
		link(fill(WORDS.live, { n: sessions.total }), false);
		draw();
	},
	lost() {
		lostAt ??= new Date().toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
		link(fill(WORDS.stale, { time: lostAt }), true);
	},
	refused() {
		dropToken();
		showDoor(WORDS.doorWrong);
	},
};

function showDoor(text) {
	byId("main").hidden = true;
	byId("door").hidden = false;
	byId("filter").hidden = byId("chips").hidden = true;
	link("", false);
	for (const [id, words] of [
		["door-title", WORDS.doorTitle],
		["door-text", text],
		["door-label", WORDS.token],
		["door-go", WORDS.go],
	])
		byId(id).textContent = words;
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

let asking;
function filter(text) {
	sessions.query = text;
	draw();
	list.toTop();
	clearTimeout(asking);
	const { query } = sessions;
	if (query === "") return;
	asking = setTimeout(async () => {
		// Without the server, what the page knows has to do.
		const answer = await ask(`/v1/sessions?limit=${PAGE}&q=${encodeURIComponent(query)}`).catch(
			() => undefined,
		);
		if (!answer) return;
		sessions.add(answer.sessions);
		sessions.setFound(
			query,
			answer.sessions.map(({ id }) => id),
		);
		draw();
	}, 150);
}

function start() {
	const input = byId("filter");
	document.documentElement.lang = WORDS.lang;
	input.placeholder = WORDS.filter;
	input.setAttribute("aria-label", WORDS.filter);
	byId("list").setAttribute("aria-label", WORDS.sessions);
	byId("chips").setAttribute("aria-label", WORDS.show);
	// The address was opened once more, in a tab that is here already.
	addEventListener("hashchange", () => {
		if (location.hash.startsWith("#token=") && takeToken()) location.reload();
	});
	if (!takeToken()) return showDoor(WORDS.doorText);
	byId("main").hidden = false;
	link(WORDS.loading, false);
	showNoCard(box);
	for (const chip of Object.keys(CHIPS)) {
		const onclick = () => {
			sessions.chip = sessions.chip === chip ? "all" : chip;
			list.toTop();
			draw();
		};
		const button = make("button", { type: "button", className: chip, onclick });
		button.dataset.chip = chip;
		byId("chips").append(button);
	}
	input.oninput = () => filter(input.value);
	byId("above").onclick = () => list.toTop();
	list.onPaint = () => {
		const { above } = list;
		byId("above").hidden = above === 0;
		byId("above").textContent = fill(WORDS.above, { n: above });
	};
	addEventListener("popstate", () => {
		document.body.classList.remove("reading");
		byId("list").focus();
	});
	addEventListener("keydown", keys);
	setInterval(() => list.refresh(), 30_000);
	ask("/health").then(
		({ access, features }) => {
			canAct = access === "act";
			canOpen = features.resume.open;
		},
		() => undefined,
	);
	draw();
	load().catch(() => undefined);
	hear(on);
}

function keys(event) {
	const input = byId("filter");
	if (event.key === "/" && event.target !== input) {
		event.preventDefault();
		input.focus();
	} else if (event.key === "Escape" && document.body.classList.contains("reading")) history.back();
	else if (event.key === "Escape" && event.target === input) {
		input.value = "";
		filter("");
		byId("list").focus();
	} else if (event.key === "ArrowDown" && event.target === input) {
		event.preventDefault();
		byId("list").focus();
	}
}

start();
