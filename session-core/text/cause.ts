/** The system's own words on what went wrong with a session's file, without paths: "ENOSPC: no space left on device". */
export function causeOf(detail: string | undefined): string {
	return detail?.split(/, \w+(?: '|$)/, 1)[0] || "the session's file cannot be written.";
}
