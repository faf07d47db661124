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
import { clipColumns, makeFolder, startTimer } from "../../session-core/text/index.ts";
import { followLeases, openedTwiceText, ownLeases } from "./leases.ts";

type Waiting = Pick<Lease, "instance" | "sessionId" | "state">;

export function waitingElsewhere<T extends Waiting>(leases: readonly T[], sessionId: string): T[] {
	return leases.filter(
		(lease) =>
			COUNTED_STATES.includes(lease.state) && lease.sessionId !== sessionId && !ownLeases.has(lease.instance),
	);
}

const KEY = "session-resume:needs";

interface NeedsDeps {
	ui: Pick<ExtensionContext["ui"], "setStatus" | "setWidget" | "theme" | "notify">;
	agentDir: string;
	sessionId: string;
	key: string | undefined;
}

/** The footer shows how many other sessions are waiting, have failed or have finished. */
export class WaitingCount {
	readonly #deps: NeedsDeps;
	#shown = "";
	/**
	 * A dialog at startup lists the other processes that already have the session open. Only processes
	 * that open the session later cause a warning.
	 */
	#twins: ReadonlySet<string> | undefined;
	#leases: ReturnType<typeof followLeases> | undefined;
	#recheck: NodeJS.Timeout | undefined;

	constructor(deps: NeedsDeps) {
		this.#deps = deps;
	}

	start(): void {
		this.#createFolder();
		this.#leases = followLeases(this.#deps.agentDir, () => this.#look());
		// If the lease folder cannot be watched, session counts are hidden, because they could be outdated.
		if (this.#leases.watch.isOn) this.#look();
	}

	end(): void {
		clearTimeout(this.#recheck);
		this.#leases?.end();
		this.#show([]);
	}

	#look(): void {
		clearTimeout(this.#recheck);
		this.#createFolder();
		this.#leases?.watch.renew();
		const live = liveLeases(this.#deps.agentDir, Date.now());
		this.#tellTwins(live);
		const waiting = waitingElsewhere(live, this.#deps.sessionId);
		// A killed process does not remove its own lease, so the leases are checked again later.
		if (waiting.length > 0) this.#recheck = startTimer("sessions", HEARTBEAT_MS, () => this.#look());
		this.#show(waiting);
	}

	#tellTwins(live: readonly Lease[]): void {
		const { ui, sessionId } = this.#deps;
		const others = live.filter(
			(lease) => lease.sessionId === sessionId && lease.isInteractive && !ownLeases.has(lease.instance),
		);
		for (const lease of others)
			if (this.#twins?.has(lease.instance) === false)
				ui.notify(`sessions: ${openedTwiceText(lease)}`, "warning");
		this.#twins = new Set(others.map(({ instance }) => instance));
	}

	#show(waiting: readonly Waiting[]): void {
		const { ui, key } = this.#deps;
		// Text for an RPC client must not contain escape sequences.
		const paint = (color: (typeof STATE_LOOKS)["idle"]["color"], text: string) =>
			hostTui(ui) ? ui.theme.fg(color, text) : text;
		const counts = COUNTED_STATES.flatMap((state) => {
			// A session that is open in two processes is counted only once.
			const count = new Set(waiting.flatMap((lease) => (lease.state === state ? lease.sessionId : []))).size;
			const { glyph, color } = STATE_LOOKS[state];
			return count > 0 ? paint(color, `${glyph} ${count} ${state}`) : [];
		});
		const hint = key && counts.length > 0 ? [paint("dim", key)] : [];
		const now = [...counts, ...hint].join(paint("dim", " · "));
		if (now !== this.#shown) ui.setStatus(KEY, now === "" ? undefined : now);
		this.#shown = now;
	}

	#createFolder(): void {
		try {
			makeFolder(liveFolder(this.#deps.agentDir));
		} catch {
			// If the lease folder cannot be created, there are no leases to watch.
		}
	}
}

/**
 * The order of the sessions is the same in every tab, so pressing the shortcut repeatedly visits all
 * sessions.
 */
export async function goToNext<T extends Waiting>(
	waiting: readonly T[],
	from: string,
	go: (lease: T) => Promise<GoOutcome>,
): Promise<{ lease: T; outcome: GoOutcome } | undefined> {
	const inOrder = waiting.toSorted((one, other) => (one.instance < other.instance ? -1 : 1));
	const isLater = ({ instance }: T) => instance > from;
	let failed: { lease: T; outcome: GoOutcome } | undefined;
	for (const lease of [...inOrder.filter(isLater), ...inOrder.filter((one) => !isLater(one))]) {
		const outcome = await go(lease);
		if (outcome.ok) return { lease, outcome };
		failed ??= { lease, outcome };
	}
	return failed;
}

const TITLE_COLUMNS = 60;

let last: string | undefined;

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
