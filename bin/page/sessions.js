/** The sessions that the page has loaded. This module does not access the DOM. */

const RANK = { needs_you: 0, failed: 1, working: 2, idle: 3, closed: 4 };
const BACKGROUND = new Set(["headless", "child"]);

export class Sessions {
	#rows = new Map();
	#states = new Map();
	/** Number of live sessions in each state, regardless of which sessions are loaded or shown. */
	counts = { needs_you: 0, failed: 0, working: 0, idle: 0 };
	total = 0;
	chip = "all";
	/** Ids of the sessions that the server found for the query. Unlike the page, the server also searches first prompts and recaps. */
	#found = new Set();
	#query = "";
	#words = [];

	/** Adds sessions, or updates them. */
	add(rows) {
		for (const row of rows) {
			const { state, since } = this.#states.get(row.id) ?? row;
			const text = fold([row.title, row.project, row.next, row.model, row.id].join("\n"));
			this.#rows.set(row.id, { ...row, text, state, since });
		}
	}

	remove(ids) {
		for (const id of ids) this.#rows.delete(id);
	}

	/** Sets the states of all open sessions, and marks all other sessions as closed. */
	setLive(live, counts) {
		this.#states = new Map(live.map(({ id, state, since }) => [id, { state, since }]));
		this.counts = counts;
		for (const [id, row] of this.#rows) {
			const { state, since } = this.#states.get(id) ?? { state: "closed", since: null };
			if (row.state !== state || row.since !== since) this.#rows.set(id, { ...row, state, since });
		}
	}

	/** Removes all sessions whose ids are not among the given ids, which come from the server's complete list. */
	keepOnly(ids) {
		this.remove([...this.#rows.keys()].filter((id) => !ids.has(id)));
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

	/** Stores what the server found, unless the query has changed in the meantime. */
	addFound(query, rows) {
		this.add(rows);
		if (query === this.#query) this.#found = new Set(rows.map(({ id }) => id));
	}

	/** Returns how many sessions the filter by a state would show; undefined if that is not counted. */
	countOf(chip) {
		if (chip !== "failed") return this.counts[chip];
		return [...this.#rows.values()].filter((row) => this.#isIn(row, chip)).length;
	}

	/** Returns the rows to show, in order of urgency and then newest first. */
	listed() {
		const matches = ({ id, text }) => this.#found.has(id) || this.#words.every((word) => text.includes(word));
		return [...this.#rows.values()]
			.filter((row) => this.#isIn(row, this.chip) && matches(row))
			.sort(
				(one, other) =>
					RANK[one.state] - RANK[other.state] ||
					other.modified_at - one.modified_at ||
					(one.id < other.id ? -1 : 1),
			);
	}

	#isIn(row, chip) {
		const isBackground = BACKGROUND.has(row.kind);
		if (chip === "jobs") return isBackground;
		if (isBackground && row.state === "closed" && this.#words.length === 0) return false;
		// A closed session that failed has the same mark as an open one.
		if (chip === "failed") return row.state === "failed" || (row.state === "closed" && row.failed);
		return chip === "all" || row.state === chip;
	}
}

function fold(text) {
	return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}
