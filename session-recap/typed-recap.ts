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
	/** The recap of this state is on the screen because the user requested it. */
	shown(stamp: string): void;
	log(event: string, fields: Record<string, string>): void;
}

/** The action that `/recap` requests. */
export interface TypedRecap {
	/** Shows a recap at once, which a model's answer replaces. Resolves after the answer, or if there will be none. */
	recap(options: { force: boolean }): Promise<void>;
	/** Shows what is known without a call. Resolves when it is on the screen. */
	show(): Promise<void>;
	/** The text that `show` would show, for the clipboard; undefined if there is none, which was reported. */
	copyText(): Promise<string | undefined>;
	/** The model call for a draft of the current state has ended. */
	changed(draft: Draft): void;
	/** The user no longer waits for an answer. */
	end(): void;
}

export function createTypedRecap(deps: TypedDeps): TypedRecap {
	const { screen, surface, conversation, drafter } = deps;
	/** The state for which the user waits. */
	let awaited: string | undefined;
	let answered: () => void = () => undefined;
	const answers = () => dailyAnswers(deps.words());

	/** Reads the conversation for a typed command; otherwise reports why that is not possible. */
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

	/** Escape: aborts the request; the text on the screen remains. */
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
				// An automatic draft was refused before; now the user requests one.
				conversation.read((reading) => drafter.improve(draft, reading, "typed"));
				return;
			}
			if (failure) screen.say(explainFailure(failure, { hasAnswer: draft.answer !== undefined }), "warning");
			end();
		},
	};
}
