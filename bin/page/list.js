import { lookOf, PLANTED_MARK, rowNote, STATE_LOOKS } from "./core/sessions/session-looks.mjs";
import { ageOf, byId, make, stateOf } from "./dom.js";

const box = byId("list");
const elements = new Map();

/** Shows sessions as links. `opened`: the session id in the page's address. */
export function showRows(rows, opened) {
	const anchor = anchorOf(elements.get(opened));
	const before = anchor?.offsetTop;
	const focused = box.contains(document.activeElement) && document.activeElement;
	let place = box.firstElementChild;
	for (const row of rows) {
		const element = elements.get(row.id) ?? make("a", { href: `#session=${encodeURIComponent(row.id)}` });
		elements.set(row.id, element);
		fill(element, row);
		if (element === place) place = place.nextElementSibling;
		else box.insertBefore(element, place);
	}
	while (place) {
		const next = place.nextElementSibling;
		place.remove();
		place = next;
	}
	if (anchor?.isConnected) box.scrollTop += anchor.offsetTop - before;
	// A link loses focus when it is moved.
	if (focused) focused.focus({ preventScroll: true });
	box.querySelector("[aria-current]")?.removeAttribute("aria-current");
	elements.get(opened)?.setAttribute("aria-current", "true");
}

/**
 * Returns the row that keeps its position on the screen when rows change: the opened row if it is visible, otherwise the first visible row.
 * If the list is scrolled to the top, rows may move, unless the pointer or the focus is in the list.
 */
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

/** Fills a row only if it has changed, so that a screen reader does not announce unchanged rows. */
function fill(element, row) {
	const [words, since] = stateOf(row);
	const ages = [ageOf(row.modified_at), words, since, row.doing].join();
	if (element.row === row && element.ages === ages) return;
	const { mark, state, title, why, next, project, planted } = row;
	const { glyph, color } = lookOf(row);
	const note = rowNote(row, { next, ended: why })?.text;
	// The state's words are already shown before the note.
	const more = note === STATE_LOOKS[state].words ? undefined : note;
	const what = [mark, planted && PLANTED_MARK, more, project].filter(Boolean).join(" · ");
	// On a narrow screen, the symbol shows the state, so its words are only for screen readers.
	const hidden = make("span", { className: "words" }, words, since === "" && what && " · ");
	const className = `row ${color}${row.title_source === "manual" ? "" : " auto"}`;
	Object.assign(element, { row, ages, className }).replaceChildren(
		make("span", { className: "glyph", ariaHidden: "true" }, glyph.trim()),
		make("span", { className: "title", title }, title),
		make("span", { className: "age" }, ageOf(row.modified_at)),
		make(
			"span",
			{ className: "more" },
			words && make("span", { className: "state" }, hidden, since),
			since && what && " · ",
			what,
		),
	);
}
