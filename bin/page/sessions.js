/** The sessions that the page has loaded. This module does not access the DOM. */

const RANK = { needs_you: 0, failed: 1, working: 2, idle: 3, closed: 4 };
const BACKGROUND = new Set(["headless", "child"]);

export class Sessions {
	#rows = new Map();
	/** Ids of the sessions that the server found for the filter. Unlike the page, the server also searches first prompts and recaps. */
	#found = new Set();
	#states = new Map();
	/** Number of live sessions in each state, regardless of which sessions are loaded or shown. */
	counts = { needs_you: 0, failed: 0, working: 0, idle: 0 };
	total = 0;
	chip = "all";
	#words = [];
	#query = "";

	/** Adds sessions, or updates them. */
	add(rows) {
		for (const row of rows) {
			const { state, since } = this.#states.get(row.id) ?? row;
			// Search hits do not say whether a session failed.
			this.#rows.set(row.id, { ...this.#rows.get(row.id), text: undefined, ...row, state, since });
		}
	}

	remove(ids) {
		for (const id of ids) this.#rows.delete(id);
	}

	/** Sets the states of all open sessions, and marks all other sessions as closed. */
	setLive(live, counts) {
		const before = this.#states;
		this.#states = new Map(live.map(({ id, state, since }) => [id, { state, since }]));
		this.counts = counts;
		for (const id of new Set([...before.keys(), ...this.#states.keys()])) {
			const row = this.#rows.get(id);
			if (row)
				this.#rows.set(id, { ...row, ...(this.#states.get(id) ?? { state: "closed", since: undefined }) });
		}
		for (const row of this.#rows.values()) {
			if (row.state !== "closed" && !this.#states.has(row.id)) {
				this.#rows.set(row.id, { ...row, state: "closed", since: undefined });
			}
		}
	}

	/** Removes all sessions whose ids are not among the given ids, which come from the server's complete list. */
	keepOnly(ids) {
		for (const id of this.#rows.keys()) if (!ids.has(id)) this.#rows.delete(id);
	}

	get(id) {
		return this.#rows.get(id);
	}

	get query() {
		return this.#query;
	}

	set query(text) {
		this.#query = text.trim();
		this.#words = fold(this.#query).split(/\s+/).filter(Boolean);
		this.#found = new Set();
	}

	/** Stores the server's hits, unless the query has changed in the meantime. */
	setFound(query, ids) {
		if (query === this.#query) this.#found = new Set(ids);
	}

	/** Returns how many sessions the filter by a state would show; undefined if that is not counted. */
	countOf(chip) {
		if (chip !== "failed") return this.counts[chip];
		return [...this.#rows.values()].filter((row) => this.#isIn(row, chip)).length;
	}

	/** Returns the rows to show, in order of urgency and then newest first. */
	listed() {
		return [...this.#rows.values()].filter((row) => this.#isShown(row)).sort(compare);
	}

	#isIn(row, chip) {
		const isBackground = BACKGROUND.has(row.kind);
		if (chip === "jobs") return isBackground;
		if (isBackground && row.state === "closed" && this.#words.length === 0) return false;
		// A closed session that failed has the same mark as an open one.
		if (chip === "failed") return row.state === "failed" || (row.state === "closed" && row.failed);
		return chip === "all" || row.state === chip;
	}

	#isShown(row) {
		if (!this.#isIn(row, this.chip)) return false;
		return this.#words.length === 0 || this.#found.has(row.id) || matches(row, this.#words);
	}
}

function matches(row, words) {
	row.text ??= fold([row.title, row.project, row.next, row.model, row.id].join("\n"));
	return words.every((word) => row.text.includes(word));
}

function fold(text) {
	return text.normalize("NFC").toLowerCase();
}

function compare(one, other) {
	return (
		RANK[one.state] - RANK[other.state] || other.modified_at - one.modified_at || (one.id < other.id ? -1 : 1)
	);
}
