import type { Kept, NotKept } from "../session-core/pi/index.ts";
import { type Reading, refusal, writtenBy } from "../session-core/recap/index.ts";

const REASONS: Readonly<Record<Exclude<NotKept["reason"], "exists" | "unwritable">, string>> = {
	edited: "you edited this recap, so it was kept. Type /recap-card --force to replace it.",
	moved_on:
		"not saved, because another pi process has continued this session. Open it again to see the new messages.",
	earlier_point:
		"not saved, because you are at an earlier point in this session. Type /recap-card to save a recap at this point.",
	stale: "not saved, because there are new messages. Type /recap-card again.",
	not_saved: "not saved, because pi has not saved this session yet.",
	unreadable: "not saved, because the session's file is damaged.",
	nothing: "nothing to recap yet.",
	off: "nothing to recap yet.",
	short: "nothing to recap yet.",
	inherited: "nothing to recap yet.",
};

export function explainRefusal({ reason, existing, detail }: NotKept): string {
	if (reason === "unwritable") return `recap-card: not saved: ${detail}`;
	if (reason !== "exists") return `recap-card: ${REASONS[reason]}`;
	const writer = existing ? `, ${writtenBy(existing)}` : "";
	return `recap-card: this state already has a recap${writer}. /recap-card --force replaces it.`;
}

/** When a session ends, pi's screen no longer exists, so the message is written to stderr. */
export function reportLoss(kept: Kept): void {
	if (!kept.ok && kept.reason === "unwritable") process.stderr.write(`${explainRefusal(kept)}\n`);
}

type Known = Pick<Reading, "stamp" | "hasTask" | "messages" | "isInherited" | "existing">;

/** Describes a record without quoting the text of the record. */
export function recordWhy(prepared: { reading: Known } | undefined, minMessages: number): string {
	if (!prepared) return "no recap is saved: this session has no messages";
	const { reading } = prepared;
	const { existing } = reading;
	if (existing)
		return `${writtenBy(existing)} on ${new Date(existing.created_at * 1000).toISOString().slice(0, 16)}Z`;
	switch (refusal(reading, { cause: "end", minMessages })) {
		case "nothing":
			return "no recap is saved: you have not sent a request";
		case "off":
			return "no recap is saved at the end of a session, because resume.minMessages is 0; type /recap-card to save one";
		case "short":
			return `no recap is saved yet: ${reading.messages} of ${minMessages} messages; /recap-card saves one now`;
		case "inherited":
			return "no recap is saved: this fork has no new messages, so its parent's recap is shown";
		default:
			return "no recap is saved yet: that happens when the session ends; type /recap-card to save one now";
	}
}
