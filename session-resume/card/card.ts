import type { DraftedRecap } from "../../session-core/hub/shared.ts";
import { type CardFacts, viewOf } from "./content.ts";
import type { Screen } from "./screen.ts";

export interface CardDeps {
	screen: Pick<Screen, "show" | "hide">;
	now(): number;
	/** Called when the card for the state that `stamp` identifies appears on the screen. */
	cardShown(stamp: string): void;
}

/** Creates the card of one session instance. The card also collects facts that become known later, even while it is hidden. */
export function createCard({ screen, now, cardShown }: CardDeps) {
	let shown: CardFacts | undefined;
	let repository: { stamp: string; text: string } | undefined;
	let drafted: DraftedRecap | undefined;

	const paint = () => {
		if (!shown) return;
		const { stamp } = shown;
		screen.show(
			viewOf({
				...shown,
				now: now(),
				repository: repository?.stamp === stamp ? repository.text : "",
				drafted: drafted?.stamp === stamp ? drafted.text : undefined,
			}),
		);
	};
	return {
		show(facts: CardFacts) {
			const isNew = shown === undefined;
			shown = facts;
			paint();
			if (isNew) cardShown(facts.stamp);
		},
		hide() {
			shown = undefined;
			screen.hide();
		},
		/** What is on screen. */
		get shown() {
			return shown;
		},
		/** Adds the repository changes that git reports. */
		setRepository(stamp: string, text: string) {
			const before = repository?.stamp === stamp ? repository.text : "";
			repository = { stamp, text };
			if (text !== before && shown?.stamp === stamp) paint();
		},
		/** Sets the sentences that a model wrote about a state. Another extension provides them, whether or not the card is visible. */
		setDrafted(news: DraftedRecap) {
			drafted = news;
			if (shown?.stamp === news.stamp) paint();
		},
	};
}

export interface PinDeps {
	/** Returns the editor's text. */
	text(): string;
	/** Called when the card is due. */
	show(): void;
}

/** Number of milliseconds without a change in the editor after which the user counts as no longer typing. */
const PAUSE_MS = 2_000;

/** Shows the card of a session that was just opened, immediately or as soon as the user has stopped typing. */
export function createPin({ text, show }: PinDeps) {
	let handle: NodeJS.Timeout | undefined;
	const look = (before: string) => {
		const now = text();
		if (now.trim() === "" || now === before) show();
		else handle = setTimeout(look, PAUSE_MS, now).unref();
	};
	return {
		set() {
			clearTimeout(handle);
			look("");
		},
		cancel: () => clearTimeout(handle),
	};
}
