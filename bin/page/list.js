import { ageOf, make, stateParts } from "./dom.js";

/** Each state has its own shape, because color must not be the only difference. */
const GLYPHS = { needs_you: "◆", failed: "✗", working: "●", idle: "○" };
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
		box.addEventListener("scroll", () => this.paint(), { passive: true });
		for (const event of ["wheel", "pointermove", "touchstart", "keydown"])
			box.addEventListener(event, () => (this.#isUntouched = false), { passive: true });
		box.addEventListener("keydown", (event) => this.key(event));
		canvas.addEventListener("click", ({ target }) => {
			const id = target.closest(".row")?.dataset.id;
			if (id) this.pick(id);
		});
		new ResizeObserver(() => this.show(this.#rows)).observe(box);
	}

	show(rows) {
		const anchor = this.#anchor();
		const probe = this.#canvas.appendChild(make("div", { className: "row" }));
		this.#height = probe.offsetHeight || this.#height;
		probe.remove();
		this.#rows = rows;
		this.#canvas.style.height = `${rows.length * this.#height}px`;
		const index = rows.findIndex(({ id }) => id === anchor?.id);
		if (index >= 0) this.#box.scrollTop = index * this.#height - anchor.offset;
		this.paint();
	}

	/** Returns the row that keeps its position on the screen, and its distance from the top of the visible area. */
	#anchor() {
		const top = this.#box.scrollTop;
		if (this.#isUntouched && top === 0) return undefined;
		const offsetOf = (index) => index * this.#height - top;
		const active = this.#indexOf(this.#active);
		const isSeen =
			active >= 0 && offsetOf(active) > -this.#height && offsetOf(active) < this.#box.clientHeight;
		const index = isSeen ? active : Math.ceil(top / this.#height);
		const row = this.#rows[index];
		return row && { id: row.id, offset: offsetOf(index) };
	}

	#indexOf(id) {
		return this.#rows.findIndex((row) => row.id === id);
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
		this.#onPick(id, true);
	}

	/** Makes a row active and scrolls it into view. */
	activate(id) {
		this.#active = id;
		const top = this.#indexOf(id) * this.#height;
		const { scrollTop, clientHeight } = this.#box;
		const lowest = top + this.#height - clientHeight + 16;
		if (top >= 0) this.#box.scrollTop = Math.max(lowest, Math.min(top, scrollTop));
		this.paint();
	}

	key(event) {
		const index = this.#indexOf(this.#active);
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

	/** Renders the visible rows, and updates their ages. */
	paint() {
		const { scrollTop, clientHeight } = this.#box;
		const from = Math.max(0, Math.floor(scrollTop / this.#height) - SPARE);
		const to = Math.min(this.#rows.length, Math.ceil((scrollTop + clientHeight) / this.#height) + SPARE);
		const before = this.#elements;
		this.#elements = new Map();
		for (let index = from; index < to; index++) {
			const row = this.#rows[index];
			const known = before.get(row.id);
			// Only a row that has changed gets a new element, so that a screen reader does not announce unchanged rows.
			const ages = [ageOf(row.modified_at), ...stateParts(row)].join();
			const isSame = known?.row === row && known.ages === ages;
			const element = isSame ? known : Object.assign(rowElement(row), { row, ages });
			if (!isSame) this.#canvas.append(element);
			if (isSame) before.delete(row.id);
			element.style.transform = `translateY(${index * this.#height}px)`;
			element.setAttribute("aria-posinset", index + 1);
			element.setAttribute("aria-setsize", this.#rows.length);
			element.setAttribute("aria-selected", row.id === this.#active);
			this.#elements.set(row.id, element);
		}
		for (const element of before.values()) element.remove();
		if (this.#elements.has(this.#active))
			this.#box.setAttribute("aria-activedescendant", `row-${this.#active}`);
		else this.#box.removeAttribute("aria-activedescendant");
		this.onPaint?.();
	}
}

function rowElement(row) {
	const { id, agent, state, failed, waits, title, ending, next, project } = row;
	const isClosed = state === "closed";
	const look = isClosed && failed ? "failed" : state;
	const [words, since] = stateParts(row);
	const why = isClosed || state === "failed" ? ending : undefined;
	const what = [agent === "pi" ? "" : agent, why, next, project].filter(Boolean).join(" · ");
	// On a narrow screen, the symbol shows the state, so its words are only for screen readers.
	const hidden = make("span", { className: "words" }, words, since === "" && what && " · ");
	const element = make(
		"div",
		{
			id: `row-${id}`,
			role: "option",
			className: `row ${look}${row.title_source === "manual" ? "" : " auto"}`,
		},
		make("span", { className: "glyph", ariaHidden: "true" }, GLYPHS[look] ?? (waits && "◇")),
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
	element.dataset.id = id;
	return element;
}
