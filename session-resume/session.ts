import {
	type CommandForm,
	type Commons,
	commonsOf,
	type ExtensionAPI,
	type ExtensionCommandContext,
	type ExtensionContext,
	type HelpOrRefusal,
	type HostSession,
	helpText,
	isInTerminal,
	isReopened,
	keyHelp,
	type NotKept,
	type SessionEnd,
	type Shared,
	type StartReason,
	submitCommand,
	workingText,
} from "../session-core/pi/index.ts";
import type { Sendable } from "../session-core/recap/index.ts";
import { background, isFirst, startTimer } from "../session-core/text/index.ts";
import { type CardScreen, createCardScreen, SessionCard } from "./card/card.ts";
import { goToNextWaiting, WaitingCount } from "./live/waiting.ts";
import { explainRefusal, recordWhy, reportLoss } from "./refusals.ts";

export type Happening = "run_started" | "settled" | "submitted" | "moved";

export interface TypedCommand {
	session: ResumeSession;
	ctx: ExtensionCommandContext;
}

export type CommandName = "recap-card" | "resume-here" | "resume-from" | "today";

const MAX_MS = 2 ** 31 - 1;

export class ResumeSession {
	readonly pi: Pick<ExtensionAPI, "setModel"> & { sendUserMessage(prompt: Sendable): void };
	readonly ctx: ExtensionContext;
	readonly commons: Commons;
	readonly host: HostSession;
	readonly screen: CardScreen;
	readonly card: SessionCard;
	readonly over: AbortSignal;
	readonly #isCardOff: boolean;
	readonly #count: WaitingCount;
	#isBegun = false;
	#idle: NodeJS.Timeout | undefined;

	constructor(pi: ExtensionAPI, ctx: ExtensionContext, shared: Shared, isCardOff: boolean) {
		this.pi = pi;
		this.ctx = ctx;
		this.over = shared.over;
		this.commons = commonsOf(shared, ctx);
		this.host = this.commons.host;
		this.screen = createCardScreen(ctx.ui, this.commons.shortcuts.keys);
		this.card = new SessionCard({
			...{ ctx, host: this.host, screen: this.screen, commons: this.commons },
			state: () => this.state(),
			hideRecap: (stamp) => shared.ports.recap.hideRecap(stamp),
		});
		this.#isCardOff = isCardOff;
		const { agentDir, shortcuts } = this.commons;
		const [key] = shortcuts.keys.board;
		this.#count = new WaitingCount({ ui: ctx.ui, agentDir, sessionId: this.host.id, key });
	}

	settings() {
		const { resume } = this.commons.settings.current().settings;
		return this.#isCardOff ? { ...resume, pinCard: false } : resume;
	}

	state() {
		return this.over.aborted ? undefined : this.commons.records.prepared();
	}

	sayNotSaved(refused: NotKept, kind: "info" | "warning" = "warning"): void {
		this.screen.say(explainRefusal(refused), kind);
	}

	recordWhy(): string {
		return recordWhy(this.state(), this.settings().minMessages);
	}

	claims(): boolean {
		return !this.over.aborted && this.settings().pinCard;
	}

	isReady(command: CommandName): boolean {
		if (this.over.aborted) return false;
		if (!this.ctx.isIdle()) this.screen.say(workingText(command), "warning");
		return this.ctx.isIdle();
	}

	stateFor(command: CommandName) {
		return this.over.aborted ? undefined : this.commons.records.stateFor(command, this.ctx, this.screen.say);
	}

	sayHelp(form: CommandForm, answered: HelpOrRefusal, key?: Parameters<typeof keyHelp>[0]): void {
		this.screen.say(...helpText(form, answered, key && keyHelp(key, this.commons.shortcuts.keys)));
	}

	start(): void {
		this.commons.shortcuts.problems.forEach(this.commons.warn);
	}

	begin({ reason, isBegun }: { reason: StartReason; isBegun: boolean }): void {
		const { agentDir, shortcuts } = this.commons;
		const [key] = shortcuts.keys.board;
		if (!this.ctx.isIdle()) this.happened("run_started");
		else if (isBegun) this.happened("submitted");
		if (this.settings().enabled) {
			this.#count.start();
			if (key && isInTerminal(this.ctx) && isFirst("start", agentDir))
				this.screen.say(`${key} lists your sessions, and F1 there explains the keys.`);
		}
		if (this.state()?.reading.stamp === undefined) return;
		if (isReopened(reason) && !this.#isBegun && this.settings().pinCard) this.card.pin();
		else background("resume", () => this.commons.repository.refresh());
		this.#saveWhenIdle();
	}

	type(command: string): void {
		if (!submitCommand(this.ctx.ui, command))
			this.screen.say(`resume: this key does not work here. Type ${command}.`, "warning");
	}

	happened(what: Happening): void {
		this.#isBegun = true;
		if (what !== "settled") this.card.hide();
		if (what === "run_started") {
			this.commons.notes.drop();
			this.screen.answered();
			clearTimeout(this.#idle);
		}
		if (what === "settled") {
			// Git's status and the record are read after each run, so that pi does not read them when it quits.
			background("resume", () => this.commons.repository.refresh().then(() => this.state()));
			this.#saveWhenIdle();
		}
	}

	goToNextWaiting(): Promise<void> {
		return goToNextWaiting(this.ctx);
	}

	clear(): boolean {
		const wasShown = this.card.stamp !== undefined;
		this.card.hide();
		return wasShown;
	}

	end(how: SessionEnd): void {
		this.#count.end();
		this.card.unpin();
		clearTimeout(this.#idle);
		if (how !== "continued") reportLoss(this.commons.records.keep({ cause: "end" }));
	}

	#saveWhenIdle(): void {
		clearTimeout(this.#idle);
		const ms = Math.min(this.settings().idleMinutes * 60_000, MAX_MS);
		if (ms > 0) this.#idle = startTimer("resume", ms, () => this.#saveIdle());
	}

	async #saveIdle(): Promise<void> {
		const { idleMinutes, generator } = this.settings();
		if (this.over.aborted || !this.ctx.isIdle() || idleMinutes === 0) return;
		const { records, notes, choose } = this.commons;
		const wantsModel = generator === "llm";
		const proposed = records.propose({ cause: "idle" });
		if (!proposed.ok) return;
		const { prepared } = proposed;
		if (wantsModel) {
			const { candidates } = choose("recap");
			const answer = await notes.ask(prepared, { by: "auto", cause: "idle", candidates });
			if (!answer || answer.ok) return;
		}
		records.put(prepared.offline, prepared.reading.existing, "idle");
	}
}
