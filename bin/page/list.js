import { ageOf, make, stateParts } from "./dom.js";

/** Each state has its own shape, because color must not be the only difference. */
export const GLYPHS = { needs_you: "◆", failed: "✗", working: "●", idle: "○", closed: "" };
/** In these states, a row also shows why the session failed or how it ended. */
const WITH_ENDING = new Set(["closed", "failed"]);
/** Number of extra rows that are rendered above and below the visible ones. */
const SPARE = 8;

/**
 * A list of any length that renders only its visible rows. When the rows change, the active row keeps its position on the screen. If the
 * active row is not visible, the first visible row keeps its position instead.
 */
export class List {
	#box;
	#canvas;
	#rows = [];
	#elements = new Map();
	#onPick;
	#active;
	#height = 68;
	/** Until the user scrolls or moves the pointer, new rows may push the list down. */
	#isUntouched = true;

	constructor(box, canvas, onPick) {
		this.#box = box;
		this.#canvas = canvas;
		this.#onPick = onPick;
		box.addEventListener("scroll", () => this.#paint(), { passive: true });
		for (const event of ["wheel", "pointermove", "touchstart", "keydown"])
			box.addEventListener(event, () => this.#touch(), { passive: true });
		box.addEventListener("keydown", (event) => this.key(event));
		canvas.addEventListener("click", ({ target }) => {
			const id = target.closest(".row")?.dataset.id;
			if (id) this.pick(id);
		});
		new ResizeObserver(() => this.#measure()).observe(box);
	}

	show(rows) {
		const anchor = this.#anchor();
		this.#rows = rows;
		this.#canvas.style.height = `${rows.length * this.#height}px`;
		if (anchor) {
			const index = rows.findIndex(({ id }) => id === anchor.id);
			if (index >= 0) this.#box.scrollTop = index * this.#height - anchor.offset;
		}
		this.#paint();
	}

	/** Returns the row that keeps its position on the screen, and its distance from the top of the visible area. */
	#anchor() {
		if (this.#isUntouched && this.#box.scrollTop === 0) return undefined;
		const top = this.#box.scrollTop;
		const offsetOf = (index) => index * this.#height - top;
		const active = this.#rows.findIndex(({ id }) => id === this.#active);
		const isSeen =
			active >= 0 && offsetOf(active) > -this.#height && offsetOf(active) < this.#box.clientHeight;
		const index = isSeen ? active : Math.ceil(top / this.#height);
		const row = this.#rows[index];
		return row && { id: row.id, offset: offsetOf(index) };
	}

	#touch() {
		this.#isUntouched = false;
	}

	/** Returns the number of rows above the visible part of the list whose sessions need the user's attention. */
	get above() {
		const first = Math.ceil(this.#box.scrollTop / this.#height);
		return this.#rows.slice(0, first).filter(({ state }) => state === "needs_you").length;
	}

	toTop() {
		this.#box.scrollTop = 0;
		this.#isUntouched = true;
	}

	pick(id) {
		this.activate(id);
		this.#onPick(id);
	}

	/** Makes a row active and scrolls it into view. */
	activate(id) {
		this.#active = id;
		const index = this.#rows.findIndex((row) => row.id === id);
		const top = index * this.#height;
		const { scrollTop, clientHeight } = this.#box;
		if (index >= 0 && top < scrollTop) this.#box.scrollTop = top;
		if (index >= 0 && top + this.#height > scrollTop + clientHeight - 16)
			this.#box.scrollTop = top + this.#height - clientHeight + 16;
		this.#paint();
	}

	key(event) {
		const index = this.#rows.findIndex(({ id }) => id === this.#active);
		const page = Math.max(1, Math.floor(this.#box.clientHeight / this.#height) - 1);
		const steps = {
			ArrowDown: 1,
			ArrowUp: -1,
			PageDown: page,
			PageUp: -page,
			Home: -Infinity,
			End: Infinity,
		};
		if (event.key === "Enter" && index >= 0) return this.#onPick(this.#active, true);
		const step = steps[event.key];
		if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
		event.preventDefault();
		const from = index < 0 && step > 0 ? -1 : index;
		const row = this.#rows[Math.min(this.#rows.length - 1, Math.max(0, from + step))];
		if (row) {
			this.activate(row.id);
			this.#onPick(row.id, false);
		}
	}

	#measure() {
		const probe = make("div", { className: "row" });
		this.#canvas.append(probe);
		const height = probe.offsetHeight;
		probe.remove();
		if (height > 0 && height !== this.#height) {
			const first = this.#box.scrollTop / this.#height;
			this.#height = height;
			this.#canvas.style.height = `${this.#rows.length * height}px`;
			this.#box.scrollTop = first * height;
		}
		this.#paint();
	}

	/** Updates the ages. */
	refresh() {
		this.#paint();
	}

	#paint() {
		const { scrollTop, clientHeight } = this.#box;
		const from = Math.max(0, Math.floor(scrollTop / this.#height) - SPARE);
		const to = Math.min(this.#rows.length, Math.ceil((scrollTop + clientHeight) / this.#height) + SPARE);
		const seen = new Set();
		for (let index = from; index < to; index++) {
			const row = this.#rows[index];
			seen.add(row.id);
			this.#place(row, index);
		}
		for (const [id, element] of this.#elements) {
			if (seen.has(id)) continue;
			element.remove();
			this.#elements.delete(id);
		}
		const hasActive = this.#active !== undefined && seen.has(this.#active);
		if (hasActive) this.#box.setAttribute("aria-activedescendant", `row-${this.#active}`);
		else this.#box.removeAttribute("aria-activedescendant");
		this.onPaint?.();
	}

	#place(row, index) {
		let element = this.#elements.get(row.id);
		if (!element) {
			element = newRow(row.id);
			this.#elements.set(row.id, element);
			this.#canvas.append(element);
		}
		fill(element, row);
		element.classList.toggle("first-closed", isFirstClosed(this.#rows, index));
		element.style.transform = `translateY(${index * this.#height}px)`;
		element.setAttribute("aria-posinset", String(index + 1));
		element.setAttribute("aria-setsize", String(this.#rows.length));
		element.setAttribute("aria-selected", String(row.id === this.#active));
	}
}

/** Whether a row is the first closed session, which is separated by a line from the live sessions above it. */
function isFirstClosed(rows, index) {
	const before = rows[index - 1];
	return rows[index].state === "closed" && before !== undefined && before.state !== "closed";
}

function newRow(id) {
	const element = make(
		"div",
		{ id: `row-${id}`, role: "option" },
		make("span", { className: "glyph", ariaHidden: "true" }),
		make("span", { className: "title" }),
		make("span", { className: "age" }),
		make("span", { className: "more" }),
	);
	element.dataset.id = id;
	return element;
}

/** Updates the element of a row only if the row has changed, so that a screen reader does not announce unchanged rows. */
function fill(element, row) {
	const age = ageOf(row.modified_at);
	const [words, since] = stateParts(row);
	const agent = row.agent === "pi" ? undefined : row.agent;
	const what = [agent, WITH_ENDING.has(row.state) ? row.ending : undefined, row.next, row.project]
		.filter(Boolean)
		.join(" · ");
	const stamp = [row.state, row.failed, row.waits, row.title, age, words, since, what, row.title_source].join(
		"\n",
	);
	if (element.stamp === stamp) return;
	element.stamp = stamp;
	const isFailed = row.state === "closed" && row.failed;
	element.className = `row ${row.state}${isFailed ? " failed" : ""}${row.title_source === "manual" ? "" : " auto"}`;
	const [glyph, title, time, more] = element.children;
	const closedGlyph = row.waits ? "◇" : "";
	glyph.textContent =
		row.state === "closed" && !isFailed ? closedGlyph : GLYPHS[isFailed ? "failed" : row.state];
	title.textContent = row.title;
	time.textContent = age;
	const between = what && " · ";
	// On a narrow screen, the symbol shows the state, so its words are only for screen readers.
	const state = make("span", { className: "words" }, words, since === "" && between);
	more.replaceChildren(
		...(words === "" ? [] : [make("span", { className: "state" }, state, since), since && between]),
		what,
	);
	title.title = row.title;
}
