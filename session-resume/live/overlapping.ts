import { relative } from "node:path";
import type { ExtensionContext } from "../../session-core/pi/index.ts";
import { clockOf } from "../../session-core/recap/index.ts";
import {
	type ChangedFile,
	type Lease,
	leasesWith,
	liveLeases,
	liveTitle,
	type Overlap,
	overlapsOf,
	realPath,
	wantedFormats,
	withForeignChanges,
} from "../../session-core/sessions/index.ts";
import { cleanLine, shownLine } from "../../session-core/text/index.ts";
import { followLeases } from "./leases.ts";

/** If a session has changed more files than this, its lease lists only the newest files. */
const KEPT = 100;
const POLL_MS = 10_000;
const SHOWN = 3;
const KEY = "session-resume:overlaps";

interface OverlappingDeps {
	agentDir: string;
	instance: string;
	cwd: string;
	ui: Pick<ExtensionContext["ui"], "setWidget" | "theme"> | undefined;
	isOn(): boolean;
}

export function createOverlapping({ agentDir, instance, cwd, ui, isOn }: OverlappingDeps) {
	const files = new Map<string, number>();
	const told = new Set<string>();
	let shown: Overlap[] = [];
	let leases: ReturnType<typeof followLeases> | undefined;
	let poll: NodeJS.Timeout | undefined;
	let isOver = false;

	async function look(): Promise<void> {
		if (!isOn()) return;
		const withOthers = (leases: Lease[]) => withForeignChanges(leases, { agentDir, now: Date.now() });
		const near = await withOthers(leasesWith(agentDir, Date.now(), files));
		const found = (await overlapsOf(near)).get(instance) ?? [];
		const news = found.filter(({ path, session }) => !told.has(`${session} ${path}`));
		if (isOver || news.length === 0) return;
		for (const { path, session } of news) told.add(`${session} ${path}`);
		shown = [...shown, ...news];
		const live = await withOthers(liveLeases(agentDir, Date.now()));
		const lines = shown.slice(-SHOWN).map((overlap) => overlapLine(overlap, cwd, live));
		const more = shown.length - lines.length;
		if (more > 0) lines.push(`… and ${more} more; /sessions shows them`);
		const painted = lines.map((line) => ui?.theme.fg("warning", line) ?? line);
		ui?.setWidget(KEY, painted);
	}

	const tryToLook = () => void look().catch(() => undefined);

	function hide(): void {
		if (shown.length > 0) ui?.setWidget(KEY, undefined);
		shown = [];
	}

	return {
		add(changes: readonly ChangedFile[]): ChangedFile[] | undefined {
			if (changes.length === 0 || !isOn()) return undefined;
			for (const { path: named, at } of changes) {
				const path = realPath(named);
				const latest = Math.max(files.get(path) ?? 0, at);
				files.delete(path);
				files.set(path, latest);
			}
			for (const path of [...files.keys()].slice(0, -KEPT)) files.delete(path);
			if (ui) {
				// Other agents do not write leases, so their logs are checked instead.
				if (wantedFormats(agentDir).length > 0) poll ??= setInterval(tryToLook, POLL_MS).unref();
				leases ??= followLeases(agentDir, tryToLook);
				leases.lookSoon();
			}
			return [...files].map(([path, at]) => ({ path, at }));
		},
		submitted: hide,
		end() {
			isOver = true;
			clearInterval(poll);
			leases?.end();
			hide();
		},
	};
}

/** The line stays on the screen until the next prompt, so it shows the time of the change instead of its age. */
function overlapLine({ path, session, at }: Overlap, cwd: string, leases: readonly Lease[]): string {
	const within = relative(realPath(cwd), path);
	const name = within.startsWith("..") ? path : within;
	const title = liveTitle(session, leases);
	const where = title === undefined ? "another session" : `"${cleanLine(title)}"`;
	return `⚠ ${shownLine(name, 120)}: also changed at ${clockOf(at)} in ${where}`;
}
