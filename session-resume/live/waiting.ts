import { mkdirSync } from "node:fs";
import { type ExtensionContext, getAgentDir, hostTui } from "../../session-core/pi/index.ts";
import {
	COUNTED_STATES,
	type GoOutcome,
	goTo,
	HEARTBEAT_MS,
	type Lease,
	liveFolder,
	liveLeases,
	liveTitle,
	STATE_LOOKS,
} from "../../session-core/sessions/index.ts";
import { watchFolder } from "../../session-core/text/files/index.ts";
import { clipColumns } from "../../session-core/text/index.ts";
import { openedTwiceText, ownLeases } from "./leases.ts";

type Waiting = Pick<Lease, "instance" | "sessionId" | "state">;

export function waitingElsewhere<T extends Waiting>(leases: readonly T[], sessionId: string): T[] {
	return leases.filter(
		(lease) =>
			COUNTED_STATES.includes(lease.state) && lease.sessionId !== sessionId && !ownLeases.has(lease.instance),
	);
}

const KEY = "session-resume:needs";
/** Milliseconds to wait for further events, because one change causes several events. */
const CALM_MS = 100;

interface NeedsDeps {
	ui: Pick<ExtensionContext["ui"], "setStatus" | "setWidget" | "theme" | "notify">;
	agentDir: string;
	sessionId: string;
	key: string | undefined;
}

/**
 * Shows in the footer how many other sessions are waiting, failed or finished. The numbers are updated without polling, whenever a lease is
 * written or removed. While there are such sessions, their processes are also checked at every heartbeat, because a killed process does not
 * remove its own lease. Returns a function that removes the display.
 */
export function showNeeds({ ui, agentDir, sessionId, key }: NeedsDeps): () => void {
	const folder = liveFolder(agentDir);
	let shown = "";
	/**
	 * Other processes that have this session open; undefined before the first check. The first check does not report such processes, because
	 * a dialog asks about them at startup.
	 */
	let twins: ReadonlySet<string> | undefined;
	let calm: NodeJS.Timeout | undefined;
	let recheck: NodeJS.Timeout | undefined;

	function look(): void {
		clearTimeout(calm);
		clearTimeout(recheck);
		calm = undefined;
		// The folder may have been deleted, so it is created again.
		makeFolder(folder);
		watch.renew();
		const leases = liveLeases(agentDir, Date.now());
		tellTwins(leases);
		const waiting = waitingElsewhere(leases, sessionId);
		if (waiting.length > 0) recheck = setTimeout(look, HEARTBEAT_MS).unref();
		show(waiting);
	}

	/** Tells the user when another process opens the session that is open here. */
	function tellTwins(leases: readonly Lease[]): void {
		const others = leases.filter(
			(lease) => lease.sessionId === sessionId && lease.isInteractive && !ownLeases.has(lease.instance),
		);
		for (const lease of others)
			if (twins?.has(lease.instance) === false) ui.notify(`sessions: ${openedTwiceText(lease)}`, "warning");
		twins = new Set(others.map(({ instance }) => instance));
	}

	function show(waiting: readonly Waiting[]): void {
		// Output for a program must not contain escape sequences.
		const paint = (color: (typeof STATE_LOOKS)["idle"]["color"], text: string) =>
			hostTui(ui) ? ui.theme.fg(color, text) : text;
		const counts = COUNTED_STATES.flatMap((state) => {
			// A session that is open twice counts once.
			const count = new Set(waiting.flatMap((lease) => (lease.state === state ? lease.sessionId : []))).size;
			const { glyph, color } = STATE_LOOKS[state];
			return count > 0 ? paint(color, `${glyph} ${count} ${state}`) : [];
		});
		const hint = key && counts.length > 0 ? [paint("dim", key)] : [];
		const now = [...counts, ...hint].join(paint("dim", " · "));
		if (now !== shown) ui.setStatus(KEY, now === "" ? undefined : now);
		shown = now;
	}

	makeFolder(folder);
	const watch = watchFolder(folder, (event) => {
		// A heartbeat only touches a file, which is reported as `change`. A new lease replaces the file, which is reported as `rename`.
		if (event === "rename") calm ??= setTimeout(look, CALM_MS).unref();
	});
	// Without a watcher, the number would become outdated, so no number is shown.
	if (watch.isOn) look();
	return () => {
		clearTimeout(calm);
		clearTimeout(recheck);
		watch.end();
		show([]);
	};
}

function makeFolder(folder: string): void {
	try {
		mkdirSync(folder, { recursive: true, mode: 0o700 });
	} catch {
		// The folder cannot be created, so there is nothing to watch.
	}
}

/**
 * Switches to the next session after `from`, in an order that is the same in every tab. Sessions whose terminals cannot be brought to the
 * front are skipped. If there is no other session, returns the first one and the reason.
 */
export async function goToNext<T extends Waiting>(
	waiting: readonly T[],
	from: string,
	go: (lease: T) => Promise<GoOutcome>,
): Promise<{ lease: T; outcome: GoOutcome } | undefined> {
	const inOrder = waiting.toSorted((one, other) => (one.instance < other.instance ? -1 : 1));
	const later = inOrder.filter(({ instance }) => instance > from);
	const earlier = inOrder.filter(({ instance }) => instance <= from);
	let failed: { lease: T; outcome: GoOutcome } | undefined;
	for (const lease of [...later, ...earlier]) {
		const outcome = await go(lease);
		if (outcome.ok) return { lease, outcome };
		failed ??= { lease, outcome };
	}
	return failed;
}

const TITLE_COLUMNS = 60;

/**
 * The session that was visited last, after which the next key press continues. The user can press the key again in this terminal, which
 * keeps its focus if the other terminal is shown elsewhere.
 */
let last: string | undefined;

/** Goes to the next session that needs the user. Pressing the key again, in either terminal, goes to the session after that. */
export async function goToNextWaiting({ ui, sessionManager }: ExtensionContext): Promise<void> {
	const leases = liveLeases(getAgentDir(), Date.now());
	const waiting = waitingElsewhere(leases, sessionManager.getSessionId());
	const went = await goToNext(waiting, last ?? [...ownLeases][0] ?? "", (lease) => goTo(lease));
	if (!went) return ui.notify("sessions: no other session is waiting for you, failed or finished.");
	const { lease, outcome } = went;
	if (outcome.ok) last = lease.instance;
	const title = clipColumns(liveTitle(lease.sessionId, leases) ?? "", TITLE_COLUMNS);
	const name = title && `"${title}" (${STATE_LOOKS[lease.state].words}): `;
	ui.notify(`sessions: ${name}${outcome.message}`, outcome.ok ? "info" : "warning");
}
