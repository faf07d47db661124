import type { NameEntry, NameRecord, TitleSource } from "./record.ts";

/** The name that counts: the newest one of the file. Empty text: it was taken away. */
export function newestName(records: readonly NameRecord[]): NameEntry | undefined {
	return records.findLast((record): record is NameEntry => record.kind === "name");
}

/** The name that counts, and who chose it. It is automatic only if the newest title record says so of the very same name. */
export function currentName(
	records: readonly NameRecord[],
): { id: string; text: string; source: TitleSource } | undefined {
	const name = newestName(records);
	if (!name) return undefined;
	const title = records.findLast((record) => record.kind === "title");
	const isAuto = title?.data.source === "auto" && title.data.title === name.text;
	return { id: name.id, text: name.text, source: isAuto ? "auto" : "manual" };
}

/** The name before the one that counts: the newest with another text. Empty: there was none. */
export function previousName(records: readonly NameRecord[]): string {
	const current = newestName(records);
	const before = records.findLast((record) => record.kind === "name" && record.text !== current?.text);
	return before?.kind === "name" ? before.text : "";
}

/** Ids of the names that a model made up. Our own record is always written before the name that it speaks of. */
export function automaticNames(records: readonly NameRecord[]): Set<string> {
	const automatic = new Set<string>();
	for (const [index, record] of records.entries()) {
		if (record.kind !== "name") continue;
		const says = records
			.slice(0, index)
			.findLast((earlier) => earlier.kind === "title" && earlier.data.title === record.text);
		if (says?.kind === "title" && says.data.source === "auto") automatic.add(record.id);
	}
	return automatic;
}

/**
 * A person's name that an automatic title overtook without knowing of it, to be put back; undefined: nothing to mend.
 * Such a title says which name it replaces; whatever a person set after that one and before the title was not seen.
 */
export function overtakenName(records: readonly NameRecord[]): string | undefined {
	const current = newestName(records);
	if (!current) return undefined;
	const before = records.slice(0, records.indexOf(current));
	const title = before.findLast((record) => record.kind === "title" && record.data.title === current.text);
	if (title?.kind !== "title" || title.data.source !== "auto" || title.data.replaces === undefined) {
		return undefined;
	}
	const { replaces } = title.data;
	const at = before.findIndex((record) => record.id === replaces);
	// A fork may have left that name behind; then nothing can be told.
	if (replaces !== null && at < 0) return undefined;
	const automatic = automaticNames(before);
	const after = before.slice(at + 1);
	const lost = after.findLast((record) => record.kind === "name" && !automatic.has(record.id));
	return lost?.kind === "name" && lost.text !== current.text ? lost.text : undefined;
}
