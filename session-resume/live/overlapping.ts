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
	overlapLine,
	overlapsOf,
	realPath,
	wantedFormats,
	withForeignChanges,
} from "../../session-core/sessions/index.ts";
import { background, shownLine, startPolling } from "../../session-core/text/index.ts";
import { followLeases } from "./leases.ts";

/** The maximum number of changed files that a lease lists. The most recently changed files are kept. */
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
	over: AbortSignal;
}

export class OverlapWarning {
	readonly #deps: OverlappingDeps;
	readonly #files = new Map<string, number>();
	readonly #told = new Set<string>();
	#shown: Overlap[] = [];
	#leases: ReturnType<typeof followLeases> | undefined;
	#poll: NodeJS.Timeout | undefined;

	constructor(deps: OverlappingDeps) {
		this.#deps = deps;
	}

	add(changes: readonly ChangedFile[]): ChangedFile[] | undefined {
		const { ui, agentDir, isOn } = this.#deps;
		if (changes.length === 0 || !isOn()) return undefined;
		const files = this.#files;
		for (const { path: named, at } of changes) {
			const path = realPath(named);
			const latest = Math.max(files.get(path) ?? 0, at);
			files.delete(path);
			files.set(path, latest);
		}
		for (const path of [...files.keys()].slice(0, -KEPT)) files.delete(path);
		if (ui) this.#follow(agentDir);
		return [...files].map(([path, at]) => ({ path, at }));
	}

	hide(): void {
		if (this.#shown.length > 0) this.#deps.ui?.setWidget(KEY, undefined);
		this.#shown = [];
	}

	end(): void {
		clearInterval(this.#poll);
		this.#leases?.end();
		this.hide();
	}

	#follow(agentDir: string): void {
		const look = () => background("sessions", () => this.#look());
		// Other agents do not write leases, so their logs are checked instead.
		if (wantedFormats(agentDir).length > 0) this.#poll ??= startPolling("sessions", POLL_MS, look);
		this.#leases ??= followLeases(agentDir, look);
		this.#leases.lookSoon();
	}

	async #look(): Promise<void> {
		const { agentDir, instance, isOn, over } = this.#deps;
		if (!isOn()) return;
		const place = { agentDir, now: Date.now() };
		const near = leasesWith(agentDir, place.now, this.#files);
		const found = (await overlapsOf(near, place)).get(instance) ?? [];
		const news = found.filter(({ path, session }) => !this.#told.has(`${session} ${path}`));
		if (over.aborted || news.length === 0) return;
		for (const { path, session } of news) this.#told.add(`${session} ${path}`);
		this.#shown.push(...news);
		this.#show(await withForeignChanges(liveLeases(agentDir, place.now), place));
	}

	#show(live: readonly Lease[]): void {
		const { ui, cwd } = this.#deps;
		const lines = this.#shown.slice(-SHOWN).map((overlap) => lineOf(overlap, cwd, live));
		const more = this.#shown.length - lines.length;
		if (more > 0) lines.push(`… and ${more} more; /sessions shows them`);
		ui?.setWidget(
			KEY,
			lines.map((line) => ui.theme.fg("warning", line)),
		);
	}
}

/**
 * The overlap warning shows the time of the change instead of its age, because an age would become
 * outdated while the warning stays on the screen.
 */
function lineOf({ path, session, at }: Overlap, cwd: string, leases: readonly Lease[]): string {
	const within = relative(realPath(cwd), path);
	const name = shownLine(within.startsWith("..") ? path : within, 120);
	return overlapLine({ path: name, time: clockOf(at), title: liveTitle(session, leases) });
}
