import { ASKED_LOOK, stateParts } from "./core/sessions/session-looks.mjs";
import { shortAge } from "./core/text/short-age.mjs";

export const byId = (id) => document.getElementById(id);

export function make(tag, props, ...children) {
	return fill(Object.assign(document.createElement(tag), props), ...children);
}

export function fill(element, ...children) {
	element.replaceChildren(...children.flat().filter(Boolean));
	return element;
}

export function ageOf(time) {
	return shortAge(time * 1000, Date.now());
}

export function stateOf({ state, since, waits }) {
	if (state === "closed") return [waits ? ASKED_LOOK.words : "", ""];
	return stateParts({ state, since: since * 1000 }, Date.now());
}

export function marked(text, query) {
	const plain = query.normalize("NFD").replace(/\p{M}/gu, "");
	const words = plain.match(/[\p{L}\p{N}_]+(?:[-./,][\p{L}\p{N}_]+)*/gu) ?? [];
	if (words.length === 0) return [text];
	const withMarks = (sign) => `${sign.replace(".", "\\.")}\\p{M}*`;
	const patterns = words.map((word) => [...word].map(withMarks).join(""));
	const parts = text.normalize("NFD").split(new RegExp(`(${patterns.join("|")})`, "giu"));
	return parts.map((part, at) => (at % 2 === 1 ? make("mark", {}, part.normalize()) : part.normalize()));
}
