import { isObject } from "../json.ts";
import type { Entry } from "../session-file/entry.ts";
import { safeText } from "../text/safe.ts";
import { cleanLine } from "../text/sanitize.ts";

/** The type of the custom entry that contains a model's recap of one state. */
export const RECAP_TEXT_ENTRY = "session-suite:recap-text";

/** A model's recap as stored in the session, so that the model is called only once per state, even across restarts. */
export interface SavedRecap {
	last_message_id: string;
	text: string;
	model: string;
}

/** Returns the newest valid recap among `entries` (newest first) for the state `stamp`. */
export function savedRecap(entries: readonly Entry[], stamp: string | undefined): SavedRecap | undefined {
	if (stamp === undefined) return undefined;
	for (const { data } of entries) {
		if (!isObject(data) || data["last_message_id"] !== stamp) continue;
		const { text, model } = data;
		if (typeof text !== "string" || text === "" || typeof model !== "string") continue;
		return { last_message_id: stamp, text: cleanLine(safeText(text)), model: cleanLine(model) };
	}
	return undefined;
}
