/**
 * Starts asynchronous work that is not awaited. An uncaught exception in such work would crash pi or the
 * server, so exceptions are caught and reported as unexpected errors. This module imports nothing, because
 * it is loaded before the first paint.
 */

type BugReport = (name: string, bug: unknown) => void;

interface BugReports {
	show: BugReport;
	log: BugReport;
}

let reports: BugReports = {
	show: (name, bug) => void process.stderr.write(`${bugText(name, bug)}\n`),
	log: () => undefined,
};

const known = new Set<string>();

/**
 * Sets the functions that show and log unexpected errors. Before the first call, unexpected errors are
 * only written to stderr. These errors are shown again if they recur.
 */
export function sendBugs(to: Partial<BugReports>): void {
	if (to.show) known.clear();
	reports = { ...reports, ...to };
}

/**
 * Reports an unexpected error to the user and in the log. A timer can fail every second, so further errors
 * with the same name and location are ignored.
 */
export function reportBug(name: string, bug: unknown): void {
	const key = `${name}: ${placeOfBug(bug)}`;
	if (known.has(key)) return;
	known.add(key);
	logBug(name, bug);
	try {
		reports.show(name, bug);
	} catch {
		// After the session has ended, there is no screen on which to show the error.
	}
}

export function logBug(name: string, bug: unknown): void {
	try {
		reports.log(name, bug);
	} catch {
		// If the debug log itself fails, there is no place left in which to report the error.
	}
}

/**
 * Runs `work` without waiting for its promise. If `work` fails, the error is reported together with
 * `name`.
 */
export function background(name: string, work: () => unknown): void {
	try {
		const result = work();
		if (result instanceof Promise) result.catch((bug: unknown) => reportBug(name, bug));
	} catch (bug) {
		reportBug(name, bug);
	}
}

/** Like `setTimeout`, but exceptions are reported, and the timer does not keep the process alive. */
export function startTimer(name: string, ms: number, work: () => unknown): NodeJS.Timeout {
	return setTimeout(() => background(name, work), ms).unref();
}

export function startPolling(name: string, ms: number, work: () => unknown): NodeJS.Timeout {
	return setInterval(() => background(name, work), ms).unref();
}

export function bugText(name: string, bug: unknown): string {
	return `${name}: ${bugSentence(bug)}`;
}

/** Returns a clause that can follow a colon, as in `Not renamed: an unexpected error occurred (…)`. */
export function bugSentence(bug: unknown): string {
	return `an unexpected error occurred (${placeOfBug(bug)}). If it occurs again, please report it.`;
}

/**
 * Returns an error's name and location, such as `TypeError in hub.ts:93`. The error message is omitted,
 * because it may quote a session.
 */
export function placeOfBug(bug: unknown): string {
	if (!(bug instanceof Error)) return typeof bug;
	const at = locationOf(bug);
	return at === undefined ? bug.name : `${bug.name} in ${at}`;
}

export function locationOf({ stack = "" }: Error): string | undefined {
	return /([\w.-]+:\d+):\d+\)?$/m.exec(stack)?.[1];
}
