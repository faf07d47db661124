export const byId = (id) => document.getElementById(id);

/** Creates an element. Strings become text nodes, never markup. */
export function make(tag, props, ...children) {
	const element = Object.assign(document.createElement(tag), props);
	element.append(...children.filter((child) => child !== undefined && child !== "" && child !== false));
	return element;
}

/** Returns an age in a short form: `now`, `5m`, `3h`, `2d`, `6w`. Times are in seconds. */
export function ageOf(time, now = Date.now() / 1000) {
	const minutes = Math.max(0, Math.floor((now - time) / 60));
	if (minutes < 1) return "now";
	if (minutes < 60) return `${minutes}m`;
	if (minutes < 60 * 24) return `${Math.floor(minutes / 60)}h`;
	const days = Math.floor(minutes / 60 / 24);
	return days < 14 ? `${days}d` : `${Math.floor(days / 7)}w`;
}

const STATES = {
	needs_you: "waiting for you",
	failed: "stopped by an error",
	working: "working",
	idle: "idle",
	closed: "closed",
};

/**
 * Returns a text with a live session's state and how long the session has been in that state. Returns an empty string if `since` is
 * missing.
 */
export function stateOf(row) {
	return stateParts(row).join("");
}

/** Returns the two parts of `stateOf`: the words, and the age, which is empty in the first minute. */
export function stateParts({ state, since }) {
	if (since === null || since === undefined) return ["", ""];
	const age = ageOf(since);
	return age === "now" ? [STATES[state], ""] : [`${STATES[state]} for `, age];
}

/** Returns a text in a form in which case and accents do not matter. */
function fold(text) {
	return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

/** Returns a text as nodes in which the words of a query are marked. */
export function marked(text, query) {
	let folded = "";
	/** For each character of the folded text, its place in the text. */
	const places = [];
	let at = 0;
	for (const sign of text) {
		const part = fold(sign);
		folded += part;
		for (let index = 0; index < part.length; index++) places.push(at);
		at += sign.length;
	}
	const isMarked = new Set();
	for (const word of fold(query).match(/[\p{L}\p{N}_]+(?:[-./,][\p{L}\p{N}_]+)*/gu) ?? []) {
		for (let from = folded.indexOf(word); from >= 0; from = folded.indexOf(word, from + word.length))
			for (let index = from; index < from + word.length; index++) isMarked.add(places[index]);
	}
	const parts = [];
	at = 0;
	for (const sign of text) {
		// An accent that follows its letter belongs to it.
		const isHit = isMarked.has(at) || (fold(sign) === "" && parts.at(-1)?.isHit);
		if (parts.at(-1)?.isHit === isHit) parts.at(-1).text += sign;
		else parts.push({ isHit, text: sign });
		at += sign.length;
	}
	return parts.map(({ isHit, text }) => (isHit ? make("mark", {}, text) : text));
}
