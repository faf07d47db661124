import type { Screen } from "../session-core/host/screen.ts";
import { type Draft, type Drafter, draftView, type Surface } from "./draft.ts";
import type { RecapReading } from "./reading.ts";
import { ANSWERS, explainRecapFailure, isRefusal } from "./report.ts";

interface TypedRecapDeps {
	screen: Screen;
	surface: Surface;
	readCurrent(): Promise<RecapReading | undefined>;
	drafter: Drafter;
	isLive(): boolean;
	isIdle(): boolean;
	/** Called when the recap of this state is on the screen because the user requested it. */
	shown(stamp: string): void;
	log(event: string, fields: Record<string, string>): void;
}

/** The actions of a typed `/recap`. */
export interface TypedRecap {
	/**
	 * Shows a recap immediately, and replaces it when a model's answer arrives. Resolves when the answer has arrived, or when it is certain
	 * that none will.
	 */
	recap(options: { force: boolean }): Promise<void>;
	/** Shows the recap that is available without a model call. Resolves when it is on the screen. */
	show(): Promise<void>;
	/** Returns the text that `show` would show, for the clipboard. If there is none, informs the user and returns undefined. */
	copyText(): Promise<string | undefined>;
	/** Called when the model call for a draft of the current state has ended. */
	changed(draft: Draft): void;
	/** Called when the user stops waiting for an answer. */
	end(): void;
}

export function createTypedRecap(deps: TypedRecapDeps): TypedRecap {
	const { screen, surface, drafter } = deps;
	/** The state whose recap the user is waiting for. */
	let awaited: string | undefined;
	/** Resolves the promises of the commands that wait for an answer. */
	let answered: () => void = () => undefined;

	/** Reads the conversation for a typed command. If that is not possible, reports why. */
	async function readForCommand(): Promise<RecapReading | undefined> {
		if (!deps.isIdle()) {
			screen.say(ANSWERS.working, "warning");
			return undefined;
		}
		const reading = await deps.readCurrent();
		if (reading?.hasTask) return reading;
		if (deps.isLive()) screen.say(ANSWERS.tooLittle);
		return undefined;
	}

	function put(draft: Draft): void {
		surface.put(draft);
		deps.shown(draft.stamp);
	}

	function end(): void {
		answered();
		answered = () => undefined;
		if (awaited === undefined) return;
		awaited = undefined;
		screen.answered();
	}

	/** Handles Escape: aborts the request, and leaves the text on the screen. */
	function cancel(): void {
		drafter.drop();
		end();
		screen.say(ANSWERS.canceled);
	}

	return {
		end,
		async recap({ force }) {
			const reading = await readForCommand();
			if (!reading) return;
			const draft = drafter.open(reading);
			put(draft);
			if (draft.answer && !force) return;
			if (force) drafter.drop();
			awaited = draft.stamp;
			screen.asking(ANSWERS.drafting, "esc to cancel", cancel);
			const done = new Promise<void>((resolve) => {
				const earlier = answered;
				answered = () => {
					earlier();
					resolve();
				};
			});
			drafter.improve(draft, reading, "typed");
			deps.log("draft.asked", { stamp: draft.stamp, trigger: "typed" });
			await done;
		},
		async show() {
			const reading = await readForCommand();
			if (reading) put(drafter.open(reading));
		},
		async copyText() {
			const reading = await readForCommand();
			return reading && draftView(drafter.open(reading)).lines.join("\n");
		},
		changed(draft) {
			if (awaited !== draft.stamp) return;
			const { failure } = draft;
			if (failure && isRefusal(failure.reason)) {
				// The budget refused an automatic draft, but the user has since requested one explicitly, so the model is called after all.
				void deps.readCurrent().then((reading) => {
					if (reading) drafter.improve(draft, reading, "typed");
					else end();
				});
				return;
			}
			if (failure)
				screen.say(explainRecapFailure(failure, { hasAnswer: draft.answer !== undefined }), "warning");
			end();
		},
	};
}
