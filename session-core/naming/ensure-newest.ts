import { appendBelow } from "../session/append-below.ts";
import { automaticNames, newestName } from "./current-name.ts";
import type { KnownNames, NamePorts } from "./known-names.ts";
import { entriesSince } from "./names-in-file.ts";
import { type NameRecord, nameRecords, TITLE_ENTRY, type TitleData } from "./record.ts";

/** Times that a name is put back; each one means that somebody wrote within the same fraction of a millisecond. */
const ROUNDS = 8;

/**
 * After we wrote: see to it that the right name is the newest one, and that nobody's messages are hidden.
 * True: a person named the session at the same moment, and theirs stands instead of our automatic title.
 */
export function* ensureNewest(
	ports: NamePorts,
	before: KnownNames,
	data: TitleData,
): Generator<void, boolean, void> {
	const { path } = before;
	if (path === undefined) return false;
	let isLost = false;
	for (let round = 0; round < ROUNDS; round++) {
		const records = [...before.records, ...nameRecords(entriesSince(path, before.end))];
		const automatic = automaticNames(records);
		const isOurs = (record: NameRecord) => ports.knows(record.id) || before.records.includes(record);
		const person = records.findLast(
			(record) => record.kind === "name" && !isOurs(record) && !automatic.has(record.id),
		);
		const lost = data.source === "auto" && person?.kind === "name" ? person.text : undefined;
		isLost ||= lost !== undefined;
		const wanted = lost ?? data.title;
		const newest = newestName(records);
		if (newest === undefined || newest.text === wanted) break;
		if (!isOurs(newest)) {
			// A person elsewhere was later than we, or another automatic title was, which is as good as ours.
			const isPersons = !automatic.has(newest.id);
			if (isPersons || (data.source === "auto" && lost === undefined)) break;
		}
		ports.name(wanted);
		yield;
	}
	closeRecord(ports, path, before);
	return isLost;
}

/** The last title record speaks of the name that stands, and the last entry continues the longer story. */
function closeRecord(ports: NamePorts, path: string, before: KnownNames): void {
	const entries = entriesSince(path, before.end);
	const records = [...before.records, ...nameRecords(entries)];
	const name = newestName(records);
	if (!name) return;
	const said = records.findLast((record) => record.kind === "title" && record.data.title === name.text);
	const data: TitleData = said?.kind === "title" ? said.data : { title: name.text, source: "manual" };
	const ids = entries.flatMap(({ id, type }) => (typeof id === "string" && type !== "session" ? [id] : []));
	const foreign = [before.leafId, ...ids].findLast((id) => id !== undefined && !ports.knows(id));
	const last = ids.at(-1);
	if (foreign !== undefined && last !== undefined && ports.knows(last)) {
		appendBelow(path, foreign, { customType: TITLE_ENTRY, data });
	} else if (records.findLast((record) => record.kind === "title") !== said && ports.knows(name.id)) {
		ports.record(data);
	}
}
