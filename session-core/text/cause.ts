/** The system's own words on what went wrong with a session's file, without paths: "ENOSPC: no space left on device". */
export function causeOf(why: unknown): string {
	const detail = why instanceof Error ? why.message : why;
	const cause = typeof detail === "string" ? detail.split(/, \w+(?: '|$)/, 1)[0] : "";
	return cause || "the session's file cannot be written.";
}
