export const byId = (id) => document.getElementById(id);

/** Creates an element. Strings become text nodes, never markup. */
export function make(tag, props, ...children) {
	const element = Object.assign(document.createElement(tag), props);
	element.append(...children.filter((child) => child !== undefined && child !== ""));
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
export function stateOf({ state, since }) {
	if (since === null || since === undefined) return "";
	const age = ageOf(since);
	return age === "now" ? STATES[state] : `${STATES[state]} for ${age}`;
}
