import { statSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import type { ExtensionContext } from "../../session-core/pi/index.ts";
import { asTyped, type Sendable } from "../../session-core/recap/index.ts";
import type { InboxOutcome, LiveAnswer } from "../../session-core/sessions/index.ts";
import { cleanText, partOf, startTimer } from "../../session-core/text/index.ts";

interface AnsweringDeps {
	pi: { sendUserMessage(prompt: Sendable): void };
	ctx: Pick<ExtensionContext, "isIdle" | "ui" | "sessionManager">;
	isOn(): boolean;
	stamp(): string | undefined;
	isRunning(): boolean;
	over: AbortSignal;
}

/**
 * The maximum time, in milliseconds, between submitting a prompt and the start of its run. Other
 * extensions may delay the start.
 */
const START_MS = 5_000;
const KEY = "session-resume:answered";

/**
 * Receives answers that the user gives in a shell, on the web page, or on the board of another
 * session.
 */
export class Answering {
	readonly #deps: AnsweringDeps;
	#isShown = false;
	#started: ((isStarted: boolean) => void) | undefined;
	#submittedAt = Number.NEGATIVE_INFINITY;

	constructor(deps: AnsweringDeps) {
		this.#deps = deps;
	}

	async take(answer: LiveAnswer): Promise<InboxOutcome> {
		const { pi, ctx, over } = this.#deps;
		const text = cleanText(answer.text).trim();
		const obstacle = this.#obstacle(answer, text);
		if (obstacle) return obstacle;
		const start = new Promise<boolean>((resolve) => {
			this.#started = resolve;
		});
		const late = startTimer("sessions", START_MS, () => this.#started?.(false));
		const file = ctx.sessionManager.getSessionFile() ?? "";
		const before = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
		const end = performance.now() + START_MS;
		try {
			pi.sendUserMessage(asTyped(text));
			if (!(await start) || !(await isStored(file, before, end)) || over.aborted) return "unsure";
		} finally {
			clearTimeout(late);
			this.#started = undefined;
		}
		this.#isShown = true;
		ctx.ui.setWidget(KEY, [ctx.ui.theme.fg("dim", `answered from the ${answer.from}`)]);
		return "done";
	}

	submitted(): void {
		this.hide();
		if (!this.#started) this.#submittedAt = Date.now();
	}

	runStarted(): void {
		this.#submittedAt = Number.NEGATIVE_INFINITY;
		this.#started?.(true);
	}

	hide(): void {
		if (this.#isShown) this.#deps.ctx.ui.setWidget(KEY, undefined);
		this.#isShown = false;
	}

	#obstacle(answer: LiveAnswer, text: string): InboxOutcome | undefined {
		const { ctx, isOn, isRunning, stamp } = this.#deps;
		if (text === "" || answer.sessionId !== ctx.sessionManager.getSessionId()) return "closed";
		if (!isOn()) return "off";
		const isSubmitting = Date.now() - this.#submittedAt < START_MS;
		if (isRunning() || !ctx.isIdle() || this.#started || isSubmitting) return "busy";
		if (ctx.ui.getEditorText().trim() !== "") return "typing";
		return stamp() === answer.stamp ? undefined : "changed";
	}
}

const POLL_MS = 25;
const MOST_BYTES = 1024 * 1024;

/**
 * If the disk is full, pi starts a run without storing the prompt. Therefore, the session file is checked
 * for the prompt.
 */
async function isStored(file: string, before: number, end: number): Promise<boolean> {
	for (; performance.now() < end; await wait(POLL_MS))
		if (/"role":"user".*\n/.test(partOf(file, before, MOST_BYTES).toString("utf8"))) return true;
	return false;
}
