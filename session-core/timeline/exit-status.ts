/** How a call ended, by the line that hosts write behind its output. */

/** What a host says of a call that ended otherwise than by itself. */
const CANCELLED = /(?:Command|Operation|Request) (?:was )?(?:aborted|cancelled|timed out)/i;
const EXIT_STATUS =
	/\n*\s*\b(?:Command|Process) exit(?:ed)?(?: with)?(?: code| status)?\s*[:=]?\s*(\d+)[.)\]]*\s*$/i;

export function wasCancelled(output: string): boolean {
	return CANCELLED.test(output);
}

/** Undefined where no such line ends the output. */
export function exitStatus(output: string): number | undefined {
	const status = EXIT_STATUS.exec(output)?.[1];
	return status === undefined ? undefined : Number(status);
}

/** The output without that line. */
export function withoutExitStatus(output: string): string {
	return output.replace(EXIT_STATUS, "");
}
