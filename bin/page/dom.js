import { ASKED_LOOK, stateParts } from "./core/sessions/session-looks.mjs";
import { shortAge } from "./core/text/short-age.mjs";

/**
 * Returns the element of `index.html` with the given id.
 * @template {keyof Elements} Id
 * @param {Id} id
 */
export const byId = (id) => /** @type {Elements[Id]} */ (document.getElementById(id));

/**
 * Creates an element with the given properties and children.
 * @type {<Tag extends keyof Tags>(tag: Tag, props: Partial<Tags[Tag]>, ...children: Children) =>
 * Tags[Tag]}
 */
export function make(tag, props, ...children) {
	return refill(Object.assign(document.createElement(tag), props), ...children);
}

/**
 * Replaces the children of an element. Empty children are left out.
 * @type {<Parent extends Element>(element: Parent, ...children: Children) => Parent}
 */
export function refill(element, ...children) {
	element.replaceChildren(.../** @type {(string | Node)[]} */ (children.flat().filter(Boolean)));
	return element;
}

/** @param {number} time */
export function ageOf(time) {
	return shortAge(time * 1000, Date.now());
}

/**
 * Describes a session's state and how long the session has been in this state.
 * @param {Pick<SessionJson, "state" | "since" | "waits">} session
 */
export function stateOf({ state, since, waits }) {
	if (state === "closed") return [waits ? ASKED_LOOK.words : "", ""];
	return stateParts({ state, since: (since ?? 0) * 1000 }, Date.now());
}

/**
 * Highlights the query's words in `text`, regardless of case and accents.
 * @type {(text: string, query: string) => (string | Node)[]}
 */
export function marked(text, query) {
	const plain = query.normalize("NFD").replace(/\p{M}/gu, "");
	const words = plain.match(/[\p{L}\p{N}_]+(?:[-./,][\p{L}\p{N}_]+)*/gu) ?? [];
	if (words.length === 0) return [text];
	const withMarks = (/** @type {string} */ sign) => `${sign.replace(".", "\\.")}\\p{M}*`;
	const patterns = words.map((word) => [...word].map(withMarks).join(""));
	const parts = text.normalize("NFD").split(new RegExp(`(${patterns.join("|")})`, "giu"));
	return parts.map((part, at) => (at % 2 === 1 ? make("mark", {}, part.normalize()) : part.normalize()));
}
