import { existsSync, readFileSync } from "node:fs";

/** The shell shows this line while the host is suspended. Enter resumes the host. */
export const SUSPENDED = "[suspended: Enter to continue]";

/**
 * Runs the host under a shell with job control. A process that leads its own terminal session cannot be
 * suspended (POSIX: an orphaned process group ignores SIGTSTP), so Ctrl+Z works only if there is a
 * shell in between. The script recurses because bash leaves a loop when one of its jobs is suspended.
 */
const SCRIPT = `
set -m
return_to_host() {
	code=$?
	[ -n "$(jobs -s)" ] || exit "$code"
	printf '\\r\\n%s\\r\\n' '${SUSPENDED}'
	read -r _
	fg %1 > /dev/null
	return_to_host
}
bash -c 'echo $$ > "$PI_SUITE_PID_FILE"; exec "$@"' host "$@"
return_to_host
`;

/** The program that runs a command under job control and writes its process id to `pidFile`. */
export function underJobControl(command: readonly string[], pidFile: string): JobControl {
	return {
		program: "bash",
		args: ["--noprofile", "--norc", "-c", SCRIPT, "job-control", ...command],
		env: { PI_SUITE_PID_FILE: pidFile },
		pid: () => (existsSync(pidFile) ? Number(readFileSync(pidFile, "utf8")) : undefined),
	};
}

export interface JobControl {
	program: string;
	args: string[];
	env: Record<string, string>;
	pid(): number | undefined;
}
