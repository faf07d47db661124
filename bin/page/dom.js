import { ASKED_LOOK, stateParts } from "./core/sessions/session-looks.mjs";
import { shortAge } from "./core/text/short-age.mjs";

export const byId = (id) => document.getElementById(id);

export function make(tag, props, ...children) {
	return fill(Object.assign(document.createElement(tag), props), ...children);
}

/** Strings become text nodes, so they are never interpreted as HTML. Falsy children are left out, and arrays are flattened. */
export function fill(element, ...children) {
	element.replaceChildren(...children.flat().filter(Boolean));
	return element;
}

/** Formats the age of a Unix time, in seconds, in a short form such as `5m`. */
export function ageOf(time) {
	return shortAge(time * 1000, Date.now());
}

/**
 * Returns a session's state in words and the duration of the state. Both are empty for a closed session that does not wait for the user.
 */
export function stateOf({ state, since, waits }) {
	if (state === "closed") return [waits ? ASKED_LOOK.words : "", ""];
	return stateParts({ state, since: since * 1000 }, Date.now());
}

/** Highlights the words of a search query in a text. Case and accents are ignored. */
export function marked(text, query) {
	const plain = query.normalize("NFD").replace(/\p{M}/gu, "");
	const words = plain.match(/[\p{L}\p{N}_]+(?:[-./,][\p{L}\p{N}_]+)*/gu) ?? [];
	if (words.length === 0) return [text];
	const withMarks = (sign) => `${sign.replace(".", "\\.")}\\p{M}*`;
	const patterns = words.map((word) => [...word].map(withMarks).join(""));
	const parts = text.normalize("NFD").split(new RegExp(`(${patterns.join("|")})`, "giu"));
	// The pattern has one capturing group, so the parts with an odd index are the matches.
	return parts.map((part, at) => (at % 2 === 1 ? make("mark", {}, part.normalize()) : part.normalize()));
}
