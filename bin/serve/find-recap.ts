import type { Recap } from "../../session-core/recap/record.ts";
import { parseLine } from "../../session-core/store/line-objects.ts";
import { MAX_RECORD } from "../../session-core/store/own-records.ts";
import { readRecap } from "../../session-core/store/stored-recap.ts";
import { wholeLines } from "../../session-core/store/whole-lines.ts";
import type { Item } from "./item.ts";

export interface FoundRecap {
	item: Item;
	recap: Recap;
}

/** Ids of records, ours and other writers'; anything else is not looked for in files. */
const RECAP_ID = /^[\w-]{8,100}$/;

/** The session that a record stands in: by the newest records, which are known, else by a look through the files, newest first. */
export async function findRecap(items: readonly Item[], recapId: string): Promise<FoundRecap | undefined> {
	for (const item of items) {
		const { recap } = item.summary;
		if (recap?.id === recapId && recap.subject_id === item.id) return { item, recap };
	}
	if (!RECAP_ID.test(recapId)) return undefined;
	const wanted = Buffer.from(`"${recapId}"`);
	for (const item of items) {
		const recap = await recapIn(item, recapId, wanted);
		if (recap) return { item, recap };
	}
	return undefined;
}

/** Read without holding anybody up, whatever the file's size; only lines that hold the id are looked at closer. */
async function recapIn({ path, id: subject }: Item, id: string, wanted: Buffer): Promise<Recap | undefined> {
	let found: Recap | undefined;
	await wholeLines(
		path,
		(line) => {
			if ("tooLong" in line || !line.bytes.includes(wanted)) return undefined;
			const records = parseLine(line.bytes.toString("utf8")).objects.map(readRecap);
			found = records.find((recap) => recap?.id === id && recap.subject_id === subject);
			return found && "enough";
		},
		{ maxLineBytes: MAX_RECORD },
	);
	return found;
}
