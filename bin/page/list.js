import { lookOf, PLANTED_MARK, rowNote, STATE_LOOKS } from "./core/sessions/session-looks.mjs";
import { ageOf, byId, fill, make, stateOf } from "./dom.js";

const box = byId("list");
const elements = new Map();

export function showRows(rows, opened) {
	const anchor = anchorOf(elements.get(opened));
	const before = anchor?.offsetTop;
	const focused = box.contains(document.activeElement) && document.activeElement;
	let place = box.firstElementChild;
	for (const row of rows) {
		const element = elementOf(row);
		if (element === place) place = place.nextElementSibling;
		else box.insertBefore(element, place);
	}
	while (place?.nextElementSibling) place.nextElementSibling.remove();
	place?.remove();
	if (anchor?.isConnected) box.scrollTop += anchor.offsetTop - before;
	// An element loses the focus when it is moved within the document, so the focus is restored.
	if (focused) focused.focus({ preventScroll: true });
	box.querySelector("[aria-current]")?.removeAttribute("aria-current");
	elements.get(opened)?.setAttribute("aria-current", "true");
}

/** If sessions are added or reordered, one row keeps its position on the screen, so that users do not lose their place. */
function anchorOf(opened) {
	if (box.scrollTop === 0 && !box.matches(":hover, :focus-within")) return undefined;
	const height = box.firstElementChild?.offsetHeight;
	const top = opened?.isConnected && opened.offsetTop - box.scrollTop;
	return top > -height && top < box.clientHeight ? opened : box.children[Math.ceil(box.scrollTop / height)];
}

export function move(step, opened) {
	const links = [...box.children];
	const from = links.indexOf(elements.get(opened));
	const link = links[Math.max(0, Math.min(links.length - 1, from + step))];
	link?.focus();
	return link;
}

export function scrollTo(id) {
	elements.get(id)?.scrollIntoView({ block: "nearest" });
}

/** An unchanged row is not rendered again, because a screen reader would announce it. */
function elementOf(row) {
	const element = elements.get(row.id) ?? make("a", { href: `#session=${encodeURIComponent(row.id)}` });
	elements.set(row.id, element);
	const [words, since] = stateOf(row);
	const age = ageOf(row.modified_at);
	const ages = [age, words, since, row.doing].join();
	if (element.row === row && element.ages === ages) return element;
	const { mark, state, title, why, next, project, planted } = row;
	const { glyph, color } = lookOf(row);
	const note = rowNote(row, { next, ended: why })?.text;
	// A note that only repeats the state is left out, because the row already shows the state.
	const more = note === STATE_LOOKS[state].words ? undefined : note;
	const what = [mark, planted && PLANTED_MARK, more, project].filter(Boolean).join(" · ");
	// On a narrow screen, only an icon shows the state, but screen readers still announce the state's name.
	const hidden = make("span", { className: "words" }, words, since === "" && what && " · ");
	const className = `row ${color}${row.title_source === "manual" ? "" : " auto"}`;
	const shown = words && make("span", { className: "state" }, hidden, since);
	return fill(
		Object.assign(element, { row, ages, className }),
		make("span", { className: "glyph", ariaHidden: "true" }, glyph.trim()),
		make("span", { className: "title", title }, title),
		make("span", { className: "age" }, age),
		make("span", { className: "more" }, shown, since && what && " · ", what),
	);
}
