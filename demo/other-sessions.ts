import { type SessionBuilder, session } from "../test/host/fixtures.ts";

const HOUR = 3_600_000;

/** Sessions of the sample project as somebody has them who works in parallel tabs, the oldest first. */
export function otherSessions(now = Date.now()): string[] {
	const ago = (hours: number, serial: number): SessionBuilder =>
		session({
			id: `0195a1b2-c3d4-7000-8000-${String(serial).padStart(12, "0")}`,
			startedAt: new Date(now - hours * HOUR),
		});
	return [
		ago(120, 11)
			.name("Week numbers after ISO 8601")
			.user("add ISO week numbers")
			.assistant("They are in; all tests pass."),
		ago(75, 12)
			.name("Retry queue in SQLite")
			.user("move the retry queue to SQLite")
			.assistant("The queue lives in SQLite now. Shall I drop the old table?"),
		ago(52, 13).user("why is the nightly build slow?").assistant("The cache key changes with every run."),
		ago(49, 14)
			.name("Release notes 2.4")
			.user("write the release notes for 2.4")
			.assistant("Draft is in NOTES.md."),
	].map((builder) => builder.build());
}
