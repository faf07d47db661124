import type { Screen } from "../session-core/host/screen.ts";
import type { Words } from "../session-core/words/words.ts";
import { CANCELLED, dailyAnswers, explainFailure, isRefusal } from "./command/answers.ts";
import { type ConversationReader, isStamped, type StampedReading } from "./conversation-reader.ts";
import { type Draft, viewOf } from "./draft/draft.ts";
import type { Drafter } from "./draft/drafter.ts";
import type { Surface } from "./surface.ts";

export interface TypedDeps {
	screen: Screen;
	surface: Surface;
	conversation: ConversationReader;
	drafter: Drafter;
	words(): Words;
	isIdle(): boolean;
	/** The recap of this state is on screen because the user asked for it. */
	shown(stamp: string): void;
	log(event: string, fields: Record<string, string>): void;
}

/** The action that `/recap` requests. */
export interface TypedRecap {
	/** On screen at once; a model's answer replaces it. Resolves then, or if there will be none. */
	recap(options: { force: boolean }): Promise<void>;
	/** What is known without a call. Resolves when it is on screen. */
	show(): Promise<void>;
	/** What `show` would show, for the clipboard; undefined: nothing, which was reported. */
	copyText(): Promise<string | undefined>;
	/** The model call for a draft of the current state has ended. */
	changed(draft: Draft): void;
	/** The user does not wait for an answer any more. */
	end(): void;
}

export function createTypedRecap(deps: TypedDeps): TypedRecap {
	const { screen, surface, conversation, drafter } = deps;
	/** The state for which the user waits. */
	let awaited: string | undefined;
	let answered: () => void = () => undefined;
	const answers = () => dailyAnswers(deps.words());

	/** Reads the conversation if a typed command may speak about it; otherwise says why not. */
	function withReading(use: (reading: StampedReading) => "over" | "asking"): Promise<void> {
		if (!deps.isIdle()) {
			screen.say(answers().working, "warning");
			return Promise.resolve();
		}
		return new Promise((resolve) => {
			conversation.read((reading) => {
				const isWorthIt = isStamped(reading) && reading.hasTask;
				if (!isWorthIt) screen.say(answers().tooLittle);
				if (!isWorthIt || use(reading) === "over") resolve();
				else answered = resolve;
			});
		});
	}

	function put(draft: Draft): void {
		surface.put(draft);
		deps.shown(draft.stamp);
	}

	function end(): void {
		answered();
		if (awaited === undefined) return;
		awaited = undefined;
		screen.answered();
	}

	/** Escape: aborts the request; what is on screen stays. */
	function cancel(): void {
		drafter.drop();
		end();
		screen.say(CANCELLED);
	}

	return {
		end,
		recap({ force }) {
			return withReading((reading) => {
				const draft = drafter.open(reading);
				put(draft);
				if (draft.answer && !force) return "over";
				if (force) drafter.drop();
				awaited = draft.stamp;
				screen.asking(answers().drafting, deps.words().keys.cancels("esc"), cancel);
				drafter.improve(draft, reading, "typed");
				deps.log("draft.asked", { stamp: draft.stamp, trigger: "typed" });
				return "asking";
			});
		},
		show() {
			return withReading((reading) => {
				put(drafter.open(reading));
				return "over";
			});
		},
		async copyText() {
			let text: string | undefined;
			await withReading((reading) => {
				text = viewOf(drafter.open(reading)).lines.join("\n");
				return "over";
			});
			return text;
		},
		changed(draft) {
			if (awaited !== draft.stamp) return;
			const { failure } = draft;
			if (failure && isRefusal(failure.reason)) {
				// An automatic draft was refused before; now the user asked for one.
				conversation.read((reading) => drafter.improve(draft, reading, "typed"));
				return;
			}
			if (failure) screen.say(explainFailure(failure, { hasAnswer: draft.answer !== undefined }), "warning");
			end();
		},
	};
}
