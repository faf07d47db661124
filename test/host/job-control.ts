import { existsSync, readFileSync } from "node:fs";

/** What the shell shows while the host is suspended; Enter brings the host back. */
export const SUSPENDED = "[suspended: Enter to continue]";

/**
 * The host under a shell with job control. A process that leads its own terminal session cannot be suspended
 * (POSIX: an orphaned process group ignores SIGTSTP), so Ctrl+Z needs a shell between terminal and host.
 */
const SCRIPT = `
set -m
bash -c 'echo $$ > "$PI_SUITE_PID_FILE"; exec "$@"' host "$@"
code=$?
while [ -n "$(jobs -s)" ]; do
	printf '\\r\\n%s\\r\\n' '${SUSPENDED}'
	read -r _
	fg %1 > /dev/null
	code=$?
done
exit "$code"
`;

/** Program and arguments that run a command under job control, its process id written to `pidFile`. */
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
	/** Process id of the command itself; undefined until it runs. */
	pid(): number | undefined;
}
