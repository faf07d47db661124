import type { SessionSummary } from "../../session-core/store/summary.ts";

/** What a session is called: its name, else its first prompt. */
export function titleOf({ name, firstPrompt }: Pick<SessionSummary, "name" | "firstPrompt">): string {
	return name ?? firstPrompt ?? "";
}

/** Below this, a few letters of an id are more likely the beginning of a title. */
const MIN_ID = 4;

/**
 * The sessions that are meant, best kind of match only: an id or the beginning of one; the whole title; its beginning; a
 * part of it. Letter case and the form of accents do not matter.
 */
export function matchSessions(rows: readonly SessionSummary[], wanted: string): SessionSummary[] {
	const text = fold(wanted);
	const isId = text.length >= MIN_ID && /^[0-9a-f-]+$/.test(text);
	const kinds: ((row: SessionSummary) => boolean)[] = [
		(row) => isId && row.id.toLowerCase() === text,
		(row) => fold(titleOf(row)) === text,
		(row) => isId && row.id.toLowerCase().startsWith(text),
		(row) => fold(titleOf(row)).startsWith(text),
		(row) => fold(titleOf(row)).includes(text),
	];
	for (const kind of kinds) {
		const found = rows.filter(kind);
		if (found.length > 0) return found;
	}
	return [];
}

export function fold(text: string): string {
	return text.normalize("NFC").toLowerCase().replace(/\s+/g, " ").trim();
}

/** The shortest beginning of an id that no other session's has; ids of one minute begin alike. */
export function shortId(id: string, rows: readonly Pick<SessionSummary, "id">[]): string {
	for (let length = 8; length < id.length; length++) {
		const head = id.slice(0, length);
		if (!head.endsWith("-") && rows.every((row) => row.id === id || !row.id.startsWith(head))) return head;
	}
	return id;
}
