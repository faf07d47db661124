import type { SessionRecord } from "./record.ts";

/** Why a record is being written. `end`: an interactive session ended; `job`: a headless run ended. */
export type Cause = "end" | "job" | "idle" | "typed";

export interface RecordFacts {
	cause: Cause;
	stamp: string | undefined;
	hasTask: boolean;
	messages: number;
	/** The minimum number of messages for a record at the end of a session. 0 turns these records off. */
	minMessages: number;
	isInherited: boolean;
	existing: SessionRecord | undefined;
	force: boolean;
	wantsModel: boolean;
	/** Whether the user is asking for a model's note again. */
	isAgain?: boolean;
}

/** `exists`: this state has a record. `edited`: a person wrote it. `inherited`: it is the parent session's state. */
export type RecordRefusal = "nothing" | "off" | "short" | "inherited" | "exists" | "edited";

export type TypedRefusal = "nothing" | "exists" | "edited";

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
