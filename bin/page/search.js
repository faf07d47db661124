/**
 * Searches messages, commands and their output on the server. The filter field covers only titles,
 * first prompts and recaps.
 */
import { meets, readFilter } from "./core/sessions/session-list.mjs";
import { byId, make, marked, refill } from "./dom.js";
import { fetchJson, problemOf } from "./server.js";
import { add, sessionOf } from "./sessions.js";

const HITS = 50;

/** @type {Search | undefined} */
let search;
/** @type {Hits | undefined} */
let shown;

/**
 * Searches all messages. Calls `draw` when the search starts and when the search ends.
 * @type {(query: string, draw: () => void, isCurrent: () => boolean) => Promise<void>}
 */
export async function searchAll(query, draw, isCurrent) {
	const filter = readFilter(query);
	if (filter.words.length === 0) return;
	search = { query, note: "Searching…", hits: [] };
	draw();
	const path = `/v1/search?limit=${HITS}&q=${encodeURIComponent(filter.text)}`;
	/** @type {Found} */
	const { hits: found, note } = await fetchJson(path).catch((error) => ({
		hits: [],
		note: problemOf(error),
	}));
	if (!isCurrent()) return;
	add(found.map(({ session }) => session));
	const hits = found.filter(({ session: { id } }) => {
		const row = sessionOf(id);
		return row && meets(row, filter);
	});
	search = { query, hits, note: note ?? (hits.length > 0 ? "" : "No messages match your search.") };
	draw();
}

/** @param {string} query */
export function drawSearch(query) {
	if (search?.query !== query) search = undefined;
	const { text, words } = readFilter(query);
	byId("found").hidden = words.length === 0;
	byId("search").textContent = `Search all messages for “${text}”`;
	byId("note").textContent = search?.note ?? "";
	if (shown === search?.hits) return;
	shown = search?.hits;
	const rows = (shown ?? []).map(({ session, by, excerpt }) => {
		const more = [by === "user" && "you: ", ...marked(excerpt, text)];
		const title = make("span", { className: "title" }, marked(session.title, text));
		const link = { className: "hit", href: `#session=${encodeURIComponent(session.id)}` };
		return make("a", link, title, make("span", { className: "more" }, more));
	});
	refill(byId("hits"), rows);
}
