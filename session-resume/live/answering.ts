import { statSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import type { ExtensionAPI, ExtensionContext } from "../../session-core/pi/index.ts";
import type { InboxOutcome, LiveAnswer } from "../../session-core/sessions/index.ts";
import { cleanText, partOf } from "../../session-core/text/index.ts";

interface AnsweringDeps {
	pi: Pick<ExtensionAPI, "sendUserMessage">;
	ctx: Pick<ExtensionContext, "isIdle" | "ui" | "sessionManager">;
	isOn(): boolean;
	stamp(): string | undefined;
	isRunning(): boolean;
}

/** After a prompt has been submitted, its run must start within this number of milliseconds. Other extensions may delay the start. */
const START_MS = 5_000;
const KEY = "session-resume:answered";

/** The user can answer a session from a shell, from the web page, or from the board of another session. */
export function createAnswering({ pi, ctx, isOn, stamp, isRunning }: AnsweringDeps) {
	const { ui, sessionManager: manager } = ctx;
	let isShown = false;
	let started: ((isStarted: boolean) => void) | undefined;
	let submittedAt = Number.NEGATIVE_INFINITY;

	function obstacle(answer: LiveAnswer, text: string): InboxOutcome | undefined {
		if (text === "" || answer.sessionId !== manager.getSessionId()) return "closed";
		if (!isOn()) return "off";
		const isSubmitting = Date.now() - submittedAt < START_MS;
		if (isRunning() || !ctx.isIdle() || started || isSubmitting) return "busy";
		if (ui.getEditorText().trim() !== "") return "typing";
		return stamp() === answer.stamp ? undefined : "changed";
	}

	function hide(): void {
		if (isShown) ui.setWidget(KEY, undefined);
		isShown = false;
	}

	return {
		async take(answer: LiveAnswer): Promise<InboxOutcome> {
			const text = cleanText(answer.text).trim();
			const problem = obstacle(answer, text);
			if (problem) return problem;
			const start = new Promise<boolean>((resolve) => {
				started = resolve;
			});
			const late = setTimeout(() => started?.(false), START_MS);
			const file = manager.getSessionFile() ?? "";
			const before = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
			const end = performance.now() + START_MS;
			try {
				pi.sendUserMessage(text);
				if (!(await start) || !(await isStored(file, before, end))) return "unsure";
			} finally {
				clearTimeout(late);
				started = undefined;
			}
			isShown = true;
			ui.setWidget(KEY, [ui.theme.fg("dim", `answered from the ${answer.from}`)]);
			return "done";
		},
		submitted() {
			hide();
			if (!started) submittedAt = Date.now();
		},
		runStarted() {
			submittedAt = Number.NEGATIVE_INFINITY;
			started?.(true);
		},
		end: hide,
	};
}

const POLL_MS = 25;
const MOST_BYTES = 1024 * 1024;

/** If the disk is full, the host starts a run even though it cannot store the prompt, so the session file is checked. */
async function isStored(file: string, before: number, end: number): Promise<boolean> {
	for (; performance.now() < end; await wait(POLL_MS))
		if (/"role":"user".*\n/.test(partOf(file, before, MOST_BYTES).toString("utf8"))) return true;
	return false;
}
