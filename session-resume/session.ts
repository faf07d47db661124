import {
	type Commons,
	commonsOf,
	copyToUser,
	type ExtensionAPI,
	type ExtensionCommandContext,
	type ExtensionContext,
	type HostSession,
	isInTerminal,
	isReopened,
	type Kept,
	type NotKept,
	type SessionEnd,
	type Shared,
	type StartReason,
	submitCommand,
	workingText,
} from "../session-core/pi/index.ts";
import type { Prepared, Replaceable, Sendable, SessionRecord } from "../session-core/recap/index.ts";
import { background, isFirst, type ModelName, startTimer } from "../session-core/text/index.ts";
import { type CardScreen, createCardScreen, SessionCard } from "./card/card.ts";
import { goToNextWaiting, WaitingCount } from "./live/waiting.ts";
import { explainRefusal, recordWhy, reportLoss } from "./refusals.ts";

export type Happening = "run_started" | "settled" | "submitted" | "moved";

export interface InSession {
	session: ResumeSession;
	ctx: ExtensionContext;
}

export interface TypedCommand extends InSession {
	ctx: ExtensionCommandContext;
}

export type CommandName = "recap-card" | "resume-here" | "resume-from" | "today";

const MAX_MS = 2 ** 31 - 1;

export class ResumeSession {
	readonly host: HostSession;
	readonly over: AbortSignal;
	readonly log: Commons["log"];
	readonly words: Commons["words"];
	readonly say: CardScreen["say"];
	readonly card: SessionCard;
	readonly #pi: Pick<ExtensionAPI, "setModel"> & { sendUserMessage(prompt: Sendable): void };
	readonly #ctx: ExtensionContext;
	readonly #commons: Commons;
	readonly #screen: CardScreen;
	readonly #isCardOff: boolean;
	readonly #count: WaitingCount;
	#isBegun = false;
	#idle: NodeJS.Timeout | undefined;

	constructor(pi: ExtensionAPI, ctx: ExtensionContext, shared: Shared, isCardOff: boolean) {
		const commons = commonsOf(shared, ctx);
		const { agentDir, host, log, shortcuts, words } = commons;
		const screen = createCardScreen(ctx.ui, shortcuts.keys);
		const [key] = shortcuts.keys.board;
		this.#pi = pi;
		this.#ctx = ctx;
		this.#commons = commons;
		this.#screen = screen;
		this.#isCardOff = isCardOff;
		this.#count = new WaitingCount({ ui: ctx.ui, agentDir, sessionId: host.id, key });
		this.host = host;
		this.over = shared.over;
		this.log = log;
		this.words = words;
		this.say = screen.say;
		this.card = new SessionCard({
			...{ ctx, host, screen, commons },
			state: () => this.state(),
			hideRecap: (stamp) => shared.ports.recap.hideRecap(stamp),
		});
	}

	settings() {
		const { resume } = this.#commons.settings.current().settings;
		return this.#isCardOff ? { ...resume, pinCard: false } : resume;
	}

	state() {
		return this.over.aborted ? undefined : this.#commons.records.prepared();
	}

	/**
	 * Prepares a recap that the user has requested. Reading the state of the repository may take up to one
	 * second.
	 */
	async propose(replaces: Replaceable | false) {
		const { records, repository } = this.#commons;
		const proposed = records.propose({ cause: "typed", replaces });
		if (proposed.ok && !repository.last) await repository.refresh();
		return proposed;
	}

	save(recap: SessionRecord, existing: SessionRecord | undefined): Kept {
		return this.#commons.records.put(recap, existing, "typed");
	}

	/** Asks a model for a recap. The user can cancel the request until the model has answered. */
	async askModel(prepared: Prepared, canceled: () => void) {
		const { notes, choose } = this.#commons;
		let isCanceled = false;
		this.#screen.asking("recap-card: asking the model…", () => {
			isCanceled = true;
			notes.drop();
			this.#screen.answered();
			canceled();
		});
		const { candidates } = choose("recap");
		const asked = { by: "typed", cause: "typed", candidates, replaces: prepared.reading.existing } as const;
		const answer = await notes.ask(prepared, asked);
		// After a cancellation, the footer is not cleared, because it may already show the next request.
		if (!isCanceled && !this.over.aborted) this.#screen.answered();
		return answer;
	}

	/**
	 * Sends a prompt, or inserts the prompt into the editor if it must not be sent or the agent is
	 * working.
	 */
	deliver(prompt: string, send: Sendable | undefined): "sent" | "editor" {
		if (!send || !this.#ctx.isIdle()) {
			this.#screen.fillEditor(prompt);
			return "editor";
		}
		this.#pi.sendUserMessage(send);
		return "sent";
	}

	activeModel(): ModelName | undefined {
		return this.#ctx.model;
	}

	async switchModel({ provider, id }: ModelName): Promise<"switched" | "no_credentials" | "unknown"> {
		const model = this.#ctx.modelRegistry.find(provider, id);
		if (!model) return "unknown";
		return (await this.#pi.setModel(model)) ? "switched" : "no_credentials";
	}

	async copy(command: CommandName, text: string): Promise<void> {
		const answer = await copyToUser(text, this.#screen.isTerminal());
		if (!this.over.aborted) this.say(`${command}: ${answer.text}`, answer.kind);
	}

	sayNotSaved(refused: NotKept, kind: "info" | "warning" = "warning"): void {
		this.say(explainRefusal(refused), kind);
	}

	recordWhy(): string {
		return recordWhy(this.state(), this.settings().minMessages);
	}

	isReady(command: CommandName): boolean {
		if (this.over.aborted) return false;
		if (!this.#ctx.isIdle()) this.say(workingText(command), "warning");
		return this.#ctx.isIdle();
	}

	stateFor(command: CommandName) {
		return this.over.aborted ? undefined : this.#commons.records.stateFor(command, this.#ctx, this.say);
	}

	start(): void {
		this.#commons.shortcuts.problems.forEach(this.#commons.warn);
	}

	begin({ reason, isBegun }: { reason: StartReason; isBegun: boolean }): void {
		const { agentDir, shortcuts } = this.#commons;
		const [key] = shortcuts.keys.board;
		if (!this.#ctx.isIdle()) this.happened("run_started");
		else if (isBegun) this.happened("submitted");
		if (this.settings().enabled) {
			this.#count.start();
			if (key && isInTerminal(this.#ctx) && isFirst("start", agentDir))
				this.say(`${key} lists your sessions, and F1 there explains the keys.`);
		}
		if (this.state()?.reading.stamp === undefined) return;
		if (isReopened(reason) && !this.#isBegun && this.settings().pinCard) this.card.pin();
		else background("resume", () => this.#commons.repository.refresh());
		this.#saveWhenIdle();
	}

	type(command: string): void {
		if (!submitCommand(this.#ctx.ui, command))
			this.say(`resume: this key does not work here. Type ${command}.`, "warning");
	}

	happened(what: Happening): void {
		this.#isBegun = true;
		if (what !== "settled") this.card.hide();
		if (what === "run_started") {
			this.#commons.notes.drop();
			this.#screen.answered();
			clearTimeout(this.#idle);
		}
		if (what === "settled") {
			// Git's status and the record are read after each run, because reading them at exit would take too long.
			background("resume", () => this.#commons.repository.refresh().then(() => this.state()));
			this.#saveWhenIdle();
		}
	}

	goToNextWaiting(): Promise<void> {
		return goToNextWaiting(this.#ctx);
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
		if (how !== "continued") reportLoss(this.#commons.records.keep({ cause: "end" }));
	}

	#saveWhenIdle(): void {
		clearTimeout(this.#idle);
		const ms = Math.min(this.settings().idleMinutes * 60_000, MAX_MS);
		if (ms > 0) this.#idle = startTimer("resume", ms, () => this.#saveIdle());
	}

	async #saveIdle(): Promise<void> {
		const { idleMinutes, generator } = this.settings();
		if (this.over.aborted || !this.#ctx.isIdle() || idleMinutes === 0) return;
		const { records, notes, choose } = this.#commons;
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
