import { walkBranch } from "../../session-core/session-file/branch.ts";
import type { SessionSource } from "../../session-core/session-file/entry.ts";
import { readTimeline } from "../../session-core/timeline/timeline.ts";
import type { Found } from "./step.ts";

/** The end of the conversation is enough to tell whether it waits for an answer. */
const LIMITS = { entries: 80, characters: 400_000 };

/** How the conversation stands, by the same rules as recaps and cards. */
export function lookAtEnd(source: SessionSource, cwd: string): Found {
	const { outcome } = readTimeline(walkBranch(source, LIMITS), { cwd });
	if (outcome === "waiting") return "needs_you";
	return outcome === "error" ? "failed" : "idle";
}
