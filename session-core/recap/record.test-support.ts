import type { SessionRecord } from "./record.ts";

/** Returns a record as it would be generated offline, with the test's changes. Open items are steps. */
export function recapOf(more: Partial<SessionRecord> = {}): SessionRecord {
	const next_actions = more.next_actions ?? [
		"Should it throw a RangeError instead?",
		"Add a test for 2026-02-30",
	];
	return {
		id: "r1",
		kind: "session",
		subject_id: "s1",
		generator: { type: "heuristic" },
		headline: "Reject days that do not exist",
		bullets: ["parse-date.js: edited (+1 −1)", "Compared the day with the text"],
		next_actions,
		next_kinds: next_actions.map(() => "step"),
		artifacts: [
			{ kind: "file", label: "parse-date.js", locator: "src/parse-date.js" },
			{ kind: "commit", label: "Fix the time zone", locator: "a1b2c3d4e5f6a7b8" },
		],
		outcome: "waiting",
		evidence: [{ command: "npm test", line: "12 passed", edits_after: 1 }],
		last_message_id: "m1",
		created_at: 1_770_000_000,
		...more,
	};
}
