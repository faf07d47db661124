import { WORDS } from "./words.js";

/** The element with this id. */
export const byId = (id) => document.getElementById(id);

/** An element with texts and elements in it. Whatever a session says goes in as text, never as markup. */
export function make(tag, props, ...children) {
	const element = Object.assign(document.createElement(tag), props);
	element.append(...children.filter((child) => child !== undefined && child !== ""));
	return element;
}

/** Words with values in the places of their names. */
export function fill(words, values) {
	return words.replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

/** How long ago, in a word: `now`, `5m`, `3h`, `2d`, `6w`. Times in seconds. */
export function ageOf(time, now = Date.now() / 1000) {
	const { ages } = WORDS;
	const minutes = Math.max(0, Math.floor((now - time) / 60));
	if (minutes < 1) return ages.now;
	if (minutes < 60) return fill(ages.minutes, { n: minutes });
	if (minutes < 60 * 24) return fill(ages.hours, { n: Math.floor(minutes / 60) });
	const days = Math.floor(minutes / 60 / 24);
	return days < 14 ? fill(ages.days, { n: days }) : fill(ages.weeks, { n: Math.floor(days / 7) });
}

/** What a session does, and for how long. */
export function stateOf({ state, since }) {
	if (since === null || since === undefined) return "";
	const age = ageOf(since);
	return age === WORDS.ages.now
		? WORDS.states[state]
		: fill(WORDS.since, { state: WORDS.states[state], age });
}
