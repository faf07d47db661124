import type { SessionRecord } from "./record.ts";

/** Why a record is being written. `end`: an interactive session ended; `job`: a headless run ended. */
export type Cause = "end" | "job" | "idle" | "typed";

export interface RecordFacts {
	cause: Cause;
	/** The id of the last message; undefined if there are no messages yet. */
	stamp: string | undefined;
	hasTask: boolean;
	messages: number;
	/** The minimum number of messages for a record at the end of a session. 0 turns these records off. */
	minMessages: number;
	isInherited: boolean;
	/** The session's own record of the current state. */
	existing: SessionRecord | undefined;
	/** Whether the user typed `--force`. */
	force: boolean;
	/** Whether a model is to write the record. */
	wantsModel: boolean;
	/** Whether the user is asking for a model's note again. */
	isAgain?: boolean;
}

/**
 * Why no record is written. `exists`: there is already a record of this state. `edited`: a person wrote the existing record. `inherited`:
 * the state was taken over from the parent session.
 */
export type RecordRefusal = "nothing" | "off" | "short" | "inherited" | "exists" | "edited";

/** The possible reasons when the user requested the record. */
export type TypedRefusal = "nothing" | "exists" | "edited";

/** Returns the reason why no record may be written now, or undefined if a record may be written. */
export function refusal(facts: RecordFacts & { cause: "typed" }): TypedRefusal | undefined;
export function refusal(facts: RecordFacts): RecordRefusal | undefined;
export function refusal(facts: RecordFacts): RecordRefusal | undefined {
	const { cause, stamp, hasTask, existing, isInherited } = facts;
	if (stamp === undefined || !hasTask) return "nothing";
	if (cause === "end" && facts.minMessages === 0) return "off";
	if (cause === "end" && facts.messages < facts.minMessages) return "short";
	if (cause !== "typed" && isInherited) return "inherited";
	if (!existing || facts.force) return undefined;
	if (existing.generator.type === "user_edited") return "edited";
	// At the user's request, a record written by a model may replace one that was generated offline.
	const isBetter =
		cause === "typed" &&
		facts.wantsModel &&
		(existing.generator.type === "heuristic" || facts.isAgain === true);
	return isBetter ? undefined : "exists";
}
