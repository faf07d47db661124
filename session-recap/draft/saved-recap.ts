import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import type { Entry } from "../../session-core/session/entry.ts";
import { redact } from "../../session-core/text/redact.ts";
import { cleanLine } from "../../session-core/text/sanitize.ts";

/** A model's recap as kept in the session: it is asked for once for each state, also across restarts. */
const SavedRecapSchema = Type.Object({
	last_message_id: Type.String(),
	text: Type.String({ minLength: 1 }),
	model: Type.String(),
});

export type SavedRecap = Static<typeof SavedRecapSchema>;

/** The newest valid recap among `entries` (newest first) that was made for `stamp`. */
export function savedRecap(entries: readonly Entry[], stamp: string | undefined): SavedRecap | undefined {
	if (stamp === undefined) return undefined;
	for (const entry of entries) {
		const data = entry["data"];
		if (!Value.Check(SavedRecapSchema, data) || data.last_message_id !== stamp) continue;
		return { ...data, text: redact(cleanLine(data.text)), model: cleanLine(data.model) };
	}
	return undefined;
}
