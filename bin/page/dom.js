import { WORDS } from "./words.js";

export const byId = (id) => document.getElementById(id);

/** Creates an element. Strings become text nodes, never markup. */
export function make(tag, props, ...children) {
	const element = Object.assign(document.createElement(tag), props);
	element.append(...children.filter((child) => child !== undefined && child !== ""));
	return element;
}

/** Replaces each `{name}` with its value. */
export function fill(words, values) {
	return words.replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

/** Returns an age in a short form: `now`, `5m`, `3h`, `2d`, `6w`. Times are in seconds. */
export function ageOf(time, now = Date.now() / 1000) {
	const { ages } = WORDS;
	const minutes = Math.max(0, Math.floor((now - time) / 60));
	if (minutes < 1) return ages.now;
	if (minutes < 60) return fill(ages.minutes, { n: minutes });
	if (minutes < 60 * 24) return fill(ages.hours, { n: Math.floor(minutes / 60) });
	const days = Math.floor(minutes / 60 / 24);
	return days < 14 ? fill(ages.days, { n: days }) : fill(ages.weeks, { n: Math.floor(days / 7) });
}

/**
 * Returns a text with a live session's state and how long the session has been in that state. Returns an empty string if `since` is
 * missing.
 */
export function stateOf({ state, since }) {
	if (since === null || since === undefined) return "";
	const age = ageOf(since);
	return age === WORDS.ages.now
		? WORDS.states[state]
		: fill(WORDS.since, { state: WORDS.states[state], age });
}
