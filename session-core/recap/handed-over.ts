import { type Entry, FOREIGN, type Format, readMessage } from "../log/index.ts";

export const HANDOVER_TAG = "earlier-session";

export function originLine({ mark }: Format, id: string): string {
	return `Session ${id} of ${mark}`;
}

/** Number of a prompt's characters that are searched. The line that names the origin is at the beginning of the record. */
const SEARCHED = 2_000;
const ORIGIN = /<earlier-session-[a-z]{16}>\n[^\n]*\nSession ([\w.-]{1,64}) of ([^\n·]{1,20}?) *(?:·|\n)/;

/** Returns the session from which this one was handed over, as `format/id`, according to the first prompt. */
export function originIn(entries: readonly Entry[]): string | undefined {
	for (const entry of entries) {
		const message = readMessage(entry);
		if (message?.role !== "user") continue;
		const [, id, mark] = ORIGIN.exec(message.text.slice(0, SEARCHED)) ?? [];
		const format = FOREIGN.find((one) => one.mark === mark);
		// Only the first prompt can hand over a session.
		return format && `${format.name}/${id}`;
	}
	return undefined;
}
