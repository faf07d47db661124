import { lookOf, PLANTED_MARK, rowNote, STATE_LOOKS } from "./core/sessions/session-looks.mjs";
import { ageOf, byId, make, refill, stateOf } from "./dom.js";

const box = byId("list");
/**
 * Maps each session id to the element in the session list and the data that the element shows.
 * @type {Map<string, { element: HTMLAnchorElement, row?: Row, ages?: string }>}
 */
const shown = new Map();

/** @param {string | undefined} id */
const elementNamed = (id) => (id === undefined ? undefined : shown.get(id)?.element);

/**
 * Shows the rows in the given order, and preserves the focus and the scroll position.
 * @type {(rows: readonly Row[], opened: string | undefined) => void}
 */
export function showRows(rows, opened) {
	const anchor = anchorOf(elementNamed(opened));
	const before = anchor?.offsetTop ?? 0;
	const focused = links().find((link) => link === document.activeElement);
	let place = box.firstElementChild;
	for (const row of rows) {
		const element = elementOf(row);
		if (element === place) place = place.nextElementSibling;
		else box.insertBefore(element, place);
	}
	while (place?.nextElementSibling) place.nextElementSibling.remove();
	place?.remove();
	if (anchor?.isConnected) box.scrollTop += anchor.offsetTop - before;
	// An element loses focus when it is moved within the document, so the focus is restored.
	focused?.focus({ preventScroll: true });
	box.querySelector("[aria-current]")?.removeAttribute("aria-current");
	elementNamed(opened)?.setAttribute("aria-current", "true");
}

const links = () => /** @type {HTMLElement[]} */ ([...box.children]);

/**
 * Returns the row that keeps its position on the screen when sessions are added or reordered, so that
 * users do not lose their place.
 * @param {HTMLElement | undefined} opened
 */
function anchorOf(opened) {
	const [first] = links();
	if (!first || (box.scrollTop === 0 && !box.matches(":hover, :focus-within"))) return undefined;
	const height = first.offsetHeight;
	const top = opened?.isConnected ? opened.offsetTop - box.scrollTop : Number.NaN;
	return top > -height && top < box.clientHeight ? opened : links()[Math.ceil(box.scrollTop / height)];
}

/**
 * Moves focus by `step` rows and returns the id of the session whose row now has focus.
 * @type {(step: number, opened: string | undefined) => string | undefined}
 */
export function move(step, opened) {
	const all = links();
	const current = elementNamed(opened);
	const from = current ? all.indexOf(current) : -1;
	const link = all[Math.max(0, Math.min(all.length - 1, from + step))];
	link?.focus();
	return [...shown].find(([, { element }]) => element === link)?.[0];
}

/** @param {string | undefined} id */
export function focusRow(id) {
	elementNamed(id)?.focus();
}

/** @param {string} id */
export function scrollTo(id) {
	elementNamed(id)?.scrollIntoView({ block: "nearest" });
}

/** @param {string} id */
export const addressOf = (id) => `#session=${encodeURIComponent(id)}`;

/**
 * An unchanged row is not rendered again, because a screen reader would announce the row again.
 * @param {Row} row
 */
function elementOf(row) {
	const known = shown.get(row.id);
	const element = known?.element ?? make("a", { href: addressOf(row.id) });
	const [words = "", since = ""] = stateOf(row);
	const age = ageOf(row.modified_at);
	const ages = [age, words, since, row.doing].join();
	if (known?.row === row && known.ages === ages) return element;
	shown.set(row.id, { element, row, ages });
	const { mark, state, title, why, next, project, planted } = row;
	const { glyph, color } = lookOf(row);
	const note = rowNote(row, { next, ended: why })?.text;
	const more = note === STATE_LOOKS[state].words ? undefined : note;
	const what = [mark, planted && PLANTED_MARK, more, project].filter(Boolean).join(" · ");
	// A screen reader reads the name of the state even if a narrow screen shows only an icon.
	const hidden = make("span", { className: "words" }, words, since === "" && what && " · ");
	element.className = `row ${color}${row.title_source === "manual" ? "" : " auto"}`;
	return refill(
		element,
		make("span", { className: "glyph", ariaHidden: "true" }, glyph.trim()),
		make("span", { className: "title", title }, title),
		make("span", { className: "age" }, age),
		make(
			"span",
			{ className: "more" },
			words !== "" && make("span", { className: "state" }, hidden, since),
			since && what && " · ",
			what,
		),
	);
}
