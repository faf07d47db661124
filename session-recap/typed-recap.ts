import type { Screen } from "../session-core/host/screen.ts";
import { describeFailure } from "../session-core/model/failure.ts";
import type { FailedDraft } from "./ask.ts";
import { type Draft, type Drafter, draftView, type Surface } from "./draft.ts";
import type { RecapReading } from "./reading.ts";

interface TypedRecapDeps {
	screen: Pick<Screen, "say" | "asking" | "answered">;
	surface: Surface;
	read(): RecapReading | undefined;
	drafter: Drafter;
	isIdle(): boolean;
	/** Called when the recap of this state is on the screen because the user requested it. */
	shown(stamp: string): void;
	log(event: string, fields: Record<string, string>): void;
}

export function createTypedRecap({ screen, surface, read, drafter, isIdle, shown, log }: TypedRecapDeps) {
	let awaited: string | undefined;
	let answer = Promise.resolve();
	let answered: () => void = () => undefined;

	/** Reads the conversation for a typed command. If that is not possible, reports why. */
	function readForCommand(): RecapReading | undefined {
		const reading = isIdle() ? read() : undefined;
		if (reading?.hasTask) return reading;
		if (isIdle()) screen.say("recap: nothing to recap yet.");
		else screen.say("recap: the agent is still working; try again when it is done.", "warning");
		return undefined;
	}

	function put(draft: Draft): void {
		surface.put(draft);
		shown(draft.stamp);
	}

	/** Called when the user stops waiting for an answer. */
	function end(): void {
		if (awaited === undefined) return;
		awaited = undefined;
		screen.answered();
		answered();
	}

	/** Handles Escape: aborts the request, and leaves the text on the screen. */
	function cancel(): void {
		drafter.drop();
		end();
		screen.say("recap: the request was canceled. Type /recap to try again.");
	}

	return {
		end,
		/** Resolves when the answer to the last command has arrived, or when it is certain that none will. */
		answer: () => answer,
		/** Shows a recap immediately, and replaces it when a model's answer arrives. */
		recap({ force }: { force: boolean }) {
			const reading = readForCommand();
			if (!reading) return;
			const draft = drafter.open(reading);
			put(draft);
			if (draft.answer && !force) return;
			if (force) drafter.drop();
			if (awaited === undefined)
				answer = new Promise((resolve) => {
					answered = resolve;
				});
			awaited = draft.stamp;
			screen.asking("recap: asking the model …", cancel);
			drafter.improve(draft, reading, "typed");
			log("draft.asked", { stamp: draft.stamp, trigger: "typed" });
		},
		/** Shows the recap that is available without a model call. */
		show() {
			const reading = readForCommand();
			if (reading) put(drafter.open(reading));
		},
		/** Returns the text that `show` would show, for the clipboard. If there is none, informs the user and returns undefined. */
		copyText(): string | undefined {
			const reading = readForCommand();
			return reading && draftView(drafter.open(reading)).lines.join("\n");
		},
		/** Called when the model call for a draft of the current state has ended. */
		changed(draft: Draft) {
			if (awaited !== draft.stamp) return;
			const { failure } = draft;
			if (failure)
				screen.say(explainRecapFailure(failure, { hasAnswer: draft.answer !== undefined }), "warning");
			end();
		},
	};
}

/**
 * Returns why a typed `/recap` produced no new result. `hasAnswer`: whether a model's recap is already shown; if so, that recap remains
 * unchanged.
 */
function explainRecapFailure(failure: FailedDraft, { hasAnswer }: { hasAnswer: boolean }): string {
	const { reason, model } = failure;
	const stays = hasAnswer ? "the recap is unchanged" : "the recap was generated without a model";
	switch (reason) {
		case "no_model":
			return `recap: no model is available, so ${stays}. Choose one with /model or --recap-model.`;
		case "unusable":
			return `recap: the answer of ${model} could not be used; ${stays}. /recap --force calls the model again.`;
		default:
			return `recap: ${describeFailure({ ...failure, reason }, model || "The model")} ${hasAnswer ? "The recap" : "The recap without a model"} is unchanged.`;
	}
}
