export interface ProcessEnd {
	code: number | null;
	signal: string | number | null;
}

/** Sends a signal, or checks whether the process exists (0). False if the process has ended. */
export function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
	try {
		process.kill(pid, signal);
		return true;
	} catch (error) {
		if (error instanceof Error && "code" in error && error.code === "ESRCH") return false;
		throw error;
	}
}

export async function endProcesses(
	pids: readonly number[],
	ended: Promise<unknown>,
	graceMs: number,
): Promise<void> {
	for (const pid of pids) {
		sendSignal(pid, "SIGTERM");
		// A stopped process handles the signal only after it continues.
		sendSignal(pid, "SIGCONT");
	}
	const timer = setTimeout(() => {
		for (const pid of pids) sendSignal(pid, "SIGKILL");
	}, graceMs);
	await ended;
	clearTimeout(timer);
}
