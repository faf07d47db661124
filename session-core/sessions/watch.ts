import { type FolderWatch, startPolling, startTimer, watchFolder } from "../text/index.ts";
import { logFolders, projectFolders, sessionsRoot, wantedFormats } from "./folders.ts";

interface WatchOptions {
	agentDir: string;
	folders?: string[] | undefined;
	onChange(): void;
	/**
	 * The interval, in milliseconds, at which folders that cannot be watched are reported as changed.
	 * Default: 5,000.
	 */
	pollMs?: number;
}

/** A change in a folder is reported only after this many milliseconds without further changes. */
const QUIET_MS = 150;
/** The maximum delay, in milliseconds, before a series of changes is reported. */
const MAX_WAIT_MS = 1_000;

/** The file watchers must not keep the process alive. */
export function watchSessions({ agentDir, folders, onChange, pollMs = 5_000 }: WatchOptions): () => void {
	const watches = new Map<string, FolderWatch>();
	let calm: NodeJS.Timeout | undefined;
	let firstChange: number | undefined;

	function renewAll(): boolean {
		const root = sessionsRoot(agentDir);
		const others = logFolders(wantedFormats(agentDir), process.env);
		const wanted = folders ?? [root, ...projectFolders(root), ...others.map(({ folder }) => folder)];
		for (const [folder, watch] of watches) {
			if (wanted.includes(folder)) continue;
			watch.end();
			watches.delete(folder);
		}
		let hasMissed = false;
		for (const folder of wanted) {
			const known = watches.get(folder);
			if (!known) watches.set(folder, watchFolder(folder, changed));
			hasMissed = known?.renew() || hasMissed;
		}
		return hasMissed;
	}

	function changed(): void {
		const now = performance.now();
		firstChange ??= now;
		clearTimeout(calm);
		calm = startTimer("sessions", Math.max(0, Math.min(QUIET_MS, firstChange + MAX_WAIT_MS - now)), report);
	}

	function report(): void {
		firstChange = undefined;
		renewAll();
		onChange();
	}

	renewAll();
	const poll = startPolling("sessions", pollMs, () => {
		if (renewAll()) changed();
	});
	return () => {
		clearInterval(poll);
		clearTimeout(calm);
		for (const watch of watches.values()) watch.end();
	};
}
