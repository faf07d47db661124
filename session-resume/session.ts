import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import type { RecapDrafted } from "../session-core/events.ts";
import type { Recap } from "../session-core/recap/record.ts";
import type { readSession } from "../session-core/records/reading.ts";
import { createRunWatch } from "../session-core/run-watch.ts";
import type { BranchLimits } from "../session-core/session/branch.ts";
import { lastMessageId } from "../session-core/session/stamp.ts";
import type { Wordbook } from "../session-core/words/wordbook.ts";
import type { Words } from "../session-core/words/words.ts";
import { type Card, createCard } from "./card/card.ts";
import { createPin } from "./card/pin.ts";
import type { Screen } from "./card/screen.ts";
import { explainRefusal } from "./command/answers.ts";
import type { HostSession } from "./host-session.ts";
import { createIdleTimer } from "./idle-timer.ts";
import { createKeeper, type Keeper, type KeeperDeps, type Prepared } from "./record/keeper.ts";
import { loggedKeeper } from "./record/logged-keeper.ts";
import type { RecordRequest } from "./record/record-request.ts";
import { describeChanges } from "./workspace/changes.ts";
import type { Repository } from "./workspace/watch.ts";

/** What happens in the host. `run_failed`: a run ended in a provider's error. `moved`: the user went to another point of the tree. */
export type Happening = "run_start" | "run_end" | "run_failed" | "run_settled" | "submit" | "moved";

export interface SessionConfig {
	pinCard: boolean;
	minMessages: number;
	/** 0: never. */
	idleMs: number;
	generator: "heuristic" | "llm";
}

export interface SessionDeps extends Pick<KeeperDeps, "append" | "newId" | "now"> {
	ctx: Pick<ExtensionContext, "isIdle" | "hasPendingMessages" | "model">;
	session: HostSession;
	config: SessionConfig;
	wordbook: Wordbook;
	screen: Screen;
	repository: Repository;
	recordRequest: RecordRequest;
	/** Loads what reads a conversation; most of the code, and not needed before something has happened. */
	loadReader(): Promise<typeof readSession>;
	/** A card of this state is on screen. */
	told(stamp: string): void;
	log(event: string, fields: Record<string, string | number | boolean | undefined>): void;
	/** One line for a user who has left the screen already. */
	lastWords(text: string): void;
}

export interface ResumeSession {
	readonly keeper: Keeper;
	readonly card: Card;
	/** Begin: a session with a past shows its card. */
	start(options: { reopened: boolean }): Promise<void>;
	happened(what: Happening): void;
	/** Whether this extension shows where a reopened session stands. */
	claims(): boolean;
	drafted(recap: RecapDrafted): void;
	/** A recap is on screen: one surface shows, not two. */
	recapShown(): void;
	/** The state as it stands, once the reader is loaded; undefined: nothing to speak about. */
	state(): Promise<Prepared | undefined>;
	/** Resolves when git has answered once, or will not. */
	knowCheckout(): Promise<void>;
	/** Put the card on screen, and what git says when it says it. */
	showCard(prepared: Prepared): void;
	/** Take the card off the screen; false: none was there. */
	clear(): boolean;
	/** The fixed words, in the user's language. */
	words(): Words;
	/** False once the host has another session: then nothing of this one may touch the host. */
	isLive(): boolean;
	end(options: { write: boolean }): void;
}

/** The card and the records of one session instance of the host. */
export function createResumeSession(deps: SessionDeps): ResumeSession {
	const { ctx, session, config, screen } = deps;
	let isLive = true;
	let reader: typeof readSession | undefined;
	const words = () => deps.wordbook.words;

	const records = createKeeper({
		session,
		kind: "session",
		minMessages: config.minMessages,
		read: look,
		checkout: () => deps.repository.last,
		append: deps.append,
		newId: deps.newId,
		now: deps.now,
		words,
	});
	const keeper = loggedKeeper(records, deps.log);
	const card = createCard({ screen, now: deps.now, told: deps.told, words });
	const pin = createPin({ text: screen.typed, show: pinned });
	const runWatch = createRunWatch({
		isBusy: () => !ctx.isIdle() || ctx.hasPendingMessages(),
		settled: () => {
			void settled().catch(gone);
			idleTimer.start();
		},
	});
	const idleTimer = createIdleTimer(config.idleMs, () => void idle().catch(gone));

	/** Session files hold what nobody foresaw; a look that fails must not disturb the session. */
	function look(limits?: Partial<BranchLimits>) {
		try {
			const reading = reader?.(session.source, session.origin, session.cwd, limits);
			if (reading) deps.wordbook.follow(reading.language);
			return reading;
		} catch (bug) {
			deps.log("read.failed", { error: nameOf(bug) });
			return undefined;
		}
	}

	async function load(): Promise<void> {
		reader ??= await deps.loadReader();
		// In which language the words are is known after a look.
		look();
		await deps.wordbook.loading;
	}

	async function settled(): Promise<void> {
		await Promise.all([load(), deps.repository.refresh()]);
		// Made ready now, so that quitting only has to append it.
		if (isLive) keeper.state();
	}

	async function idle(): Promise<void> {
		await load();
		if (!isLive || !ctx.isIdle()) return;
		const wantsModel = config.generator === "llm";
		const proposed = keeper.propose({ cause: "idle", wantsModel });
		if (!proposed.ok) return;
		const keep = (recap: Recap) => keeper.put(recap, { over: proposed.prepared.existing, cause: "idle" });
		if (!wantsModel) {
			keep(proposed.prepared.recap);
			return;
		}
		deps.recordRequest.start(proposed.prepared, "auto", (outcome) => {
			if (isLive) keep(outcome.ok ? outcome.recap : proposed.prepared.recap);
		});
	}

	function gone(bug: unknown): void {
		deps.log("background.failed", { error: nameOf(bug) });
	}

	function pinned(): void {
		const prepared = isLive && ctx.isIdle() ? keeper.state() : undefined;
		if (prepared?.reading.hasTask) showCard(prepared);
		else void deps.repository.refresh().catch(gone);
	}

	function hide(): void {
		pin.cancel();
		card.hide();
	}

	function showCard({ reading, shown: recap }: Prepared): void {
		pin.cancel();
		const { stamp, at } = reading;
		if (stamp === undefined) return;
		const window = ctx.model?.contextWindow ?? 0;
		const fill =
			reading.contextTokens !== undefined && window > 0 ? reading.contextTokens / window : undefined;
		card.show({ stamp, recap, at, fill });
		const then = recap.workspace?.cwd === session.cwd ? recap.workspace : undefined;
		void deps.repository.changes(then?.git_head).then((changes) => {
			if (isLive) card.setRepository(stamp, describeChanges(then, changes, words().card));
		}, gone);
	}

	return {
		keeper,
		card,
		showCard,
		words,
		isLive: () => isLive,
		clear() {
			const wasShown = card.shown !== undefined;
			hide();
			return wasShown;
		},
		async knowCheckout() {
			if (!deps.repository.last) await deps.repository.refresh();
		},
		async start({ reopened }) {
			if (lastMessageId(session.source) === undefined) return;
			await load();
			if (!isLive) return;
			keeper.state();
			if (reopened && config.pinCard) pin.set();
			else void deps.repository.refresh().catch(gone);
			idleTimer.start();
		},
		happened(what) {
			if (what === "submit" || what === "moved" || what === "run_start") hide();
			if (what === "run_start") {
				deps.recordRequest.drop();
				screen.answered();
				runWatch.started();
				idleTimer.cancel();
				// While the agent works: the end of its run, or of the session, must not wait for this.
				void load().catch(gone);
			}
			if (what === "run_end" || what === "run_failed") runWatch.ended({ failed: what === "run_failed" });
			if (what === "run_settled") runWatch.over();
		},
		claims: () => isLive && config.pinCard,
		drafted: (recap) => card.setDrafted(recap),
		recapShown: hide,
		async state() {
			await load();
			return isLive ? keeper.state() : undefined;
		},
		end({ write }) {
			if (!isLive) return;
			isLive = false;
			pin.cancel();
			runWatch.cancel();
			idleTimer.cancel();
			deps.recordRequest.drop();
			if (!write || !session.isCurrent()) return;
			const kept = keeper.keep({ cause: "end" });
			if (!kept.ok && kept.reason === "unwritable") deps.lastWords(explainRefusal(kept, words()));
		},
	};
}

function nameOf(bug: unknown): string {
	return bug instanceof Error ? bug.name : "unknown";
}
