export const byId = (id) => document.getElementById(id);

/** Creates an element. Strings become text nodes, never markup. Empty strings, `false` and `undefined` are left out. */
export function make(tag, props, ...children) {
	const element = Object.assign(document.createElement(tag), props);
	element.append(
		...children.flat().filter((child) => child !== undefined && child !== "" && child !== false),
	);
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
	waiting: "waiting for you",
	failed: "failed",
	finished: "finished",
	working: "working",
	idle: "idle",
};

/** Returns the words for an open session's state, and the time since the state began, which is empty during the first minute. */
export function stateParts({ state, since }) {
	if (!STATES[state] || !since) return ["", ""];
	const age = ageOf(since);
	return age === "now" ? [STATES[state], ""] : [`${STATES[state]} for `, age];
}

/** Returns text as nodes in which the words of a query are highlighted. Case and accents do not matter. */
export function marked(text, query) {
	const plain = query.normalize("NFD").replace(/\p{M}/gu, "");
	const words = plain.match(/[\p{L}\p{N}_]+(?:[-./,][\p{L}\p{N}_]+)*/gu) ?? [];
	if (words.length === 0) return [text];
	const patterns = words.map((word) =>
		[...word].map((sign) => `${sign.replace(".", "\\.")}\\p{M}*`).join(""),
	);
	const parts = text.normalize("NFD").split(new RegExp(`(${patterns.join("|")})`, "giu"));
	// The parts with odd indexes are the matches.
	return parts.map((part, at) => (at % 2 === 1 ? make("mark", {}, part.normalize()) : part.normalize()));
}
