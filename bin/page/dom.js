/** The element with this id. */
export const byId = (id) => document.getElementById(id);

/** An element with texts and elements in it. Whatever a session says goes in as text, never as markup. */
export function make(tag, props, ...children) {
	const element = Object.assign(document.createElement(tag), props);
	element.append(...children.filter((child) => child !== undefined && child !== ""));
	return element;
}

/** How long ago, in a word: `now`, `5m`, `3h`, `2d`, `6w`. Times in seconds. */
export function ageOf(time, now = Date.now() / 1000) {
	const minutes = Math.max(0, Math.floor((now - time) / 60));
	if (minutes < 1) return "now";
	if (minutes < 60) return `${minutes}m`;
	if (minutes < 60 * 24) return `${Math.floor(minutes / 60)}h`;
	const days = Math.floor(minutes / 60 / 24);
	return days < 14 ? `${days}d` : `${Math.floor(days / 7)}w`;
}
