import type { LeaseState } from "../live/lease-files.ts";
import type { SessionRecord } from "../recap/record.ts";

/** A color as a role in the host's theme. Each interface maps the roles to its own colors. */
export type StateColor = "warning" | "error" | "success" | "dim" | "plain";

interface StateLook {
	/** The symbol. Symbols differ in shape, because color must not be the only difference. */
	glyph: string;
	color: StateColor;
}

/** How a state looks on the card, on the board and in the shell, in the order of urgency. `page.css` has the same colors. */
export const STATE_LOOKS: Readonly<Record<LeaseState | "closed", StateLook>> = {
	needs_you: { glyph: "◆", color: "warning" },
	failed: { glyph: "✗", color: "error" },
	working: { glyph: "●", color: "success" },
	idle: { glyph: "○", color: "dim" },
	closed: { glyph: " ", color: "dim" },
};

const BY_URGENCY = Object.keys(STATE_LOOKS);

/** Returns the rank of a state in lists: sessions that need the user come first, and closed ones last. */
export function urgencyOf(state: keyof typeof STATE_LOOKS): number {
	return BY_URGENCY.indexOf(state);
}

/** The color of a session's outcome. Only what is done is dim. */
export const OUTCOME_COLORS: Readonly<Record<SessionRecord["outcome"], StateColor>> = {
	waiting: STATE_LOOKS.needs_you.color,
	error: STATE_LOOKS.failed.color,
	aborted: "plain",
	running: "plain",
	done: "dim",
};
