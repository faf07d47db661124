/** How a process ended. Code and signal as Node reports them. */
export interface ProcessEnd {
	code: number | null;
	signal: string | number | null;
}

/** Send a signal, or 0 for none; false where the process is gone. */
export function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
	try {
		process.kill(pid, signal);
		return true;
	} catch (error) {
		if (error instanceof Error && "code" in error && error.code === "ESRCH") return false;
		throw error;
	}
}

/** Ask these processes to end, and after `graceMs` make them: by their ids, nothing else is touched. */
export async function endProcesses(
	pids: readonly number[],
	ended: Promise<unknown>,
	graceMs: number,
): Promise<void> {
	for (const pid of pids) {
		sendSignal(pid, "SIGTERM");
		// A stopped process only hears the signal once it continues.
		sendSignal(pid, "SIGCONT");
	}
	const timer = setTimeout(() => {
		for (const pid of pids) sendSignal(pid, "SIGKILL");
	}, graceMs);
	await ended;
	clearTimeout(timer);
}
