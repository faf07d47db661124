import {
	type Commons,
	createScreen,
	type ExtensionContext,
	type ExtensionUIContext,
	type HostSession,
} from "../../session-core/pi/index.ts";
import type { Prepared } from "../../session-core/recap/index.ts";
import { background, startTimer } from "../../session-core/text/index.ts";
import { type PiecePainter, painted, painterOf } from "../pieces.ts";
import { type CardContent, cardContent, describeChanges } from "./content.ts";
import { type CardKeys, type CardSize, hintsOf, layCard } from "./layout.ts";

interface CardDeps {
	ctx: Pick<ExtensionContext, "model" | "isIdle">;
	host: Pick<HostSession, "cwd" | "isMoved">;
	screen: Pick<CardScreen, "show" | "hide" | "typed">;
	commons: Pick<Commons, "words" | "repository">;
	state(): Prepared | undefined;
	hideRecap(stamp: string): void;
}

const PAUSE_MS = 2_000;

export class SessionCard {
	readonly #deps: CardDeps;
	#shown: Prepared | undefined;
	#changes = { stamp: "", text: "" };
	#typing: NodeJS.Timeout | undefined;

	constructor(deps: CardDeps) {
		this.#deps = deps;
	}

	get stamp(): string | undefined {
		return this.#shown?.reading.stamp;
	}

	pin(): void {
		this.unpin();
		this.#look("");
	}

	unpin(): void {
		clearTimeout(this.#typing);
	}

	show(state: Prepared): void {
		this.unpin();
		const { host, commons, hideRecap } = this.#deps;
		const { stamp, language } = state.reading;
		if (stamp === undefined) return;
		const isNew = this.#shown === undefined;
		this.#shown = state;
		this.#paint(state);
		if (isNew) hideRecap(stamp);
		// If pi continues in another folder, the card does not mention that folder's repository.
		if (host.isMoved) return;
		const { workspace } = state.shown;
		const then = workspace?.cwd === host.cwd ? workspace : undefined;
		const changed = commons.repository.changes(then?.git_head).then((changes) => {
			this.#repositoryChanged(stamp, describeChanges(then, changes, commons.words(language)));
		});
		background("resume", () => changed);
	}

	noted(): void {
		const current = this.#shown && this.#deps.state();
		if (current && current.reading.stamp === this.stamp) this.show(current);
	}

	hide(): void {
		this.unpin();
		this.#shown = undefined;
		this.#deps.screen.hide();
	}

	#look(before: string): void {
		const typed = this.#deps.screen.typed();
		if (typed.trim() === "" || typed === before) this.#showPinned();
		else this.#typing = startTimer("resume", PAUSE_MS, () => this.#look(typed));
	}

	#showPinned(): void {
		const { ctx, commons } = this.#deps;
		const state = this.#deps.state();
		if (state?.reading.hasTask && ctx.isIdle()) this.show(state);
		else background("resume", () => commons.repository.refresh());
	}

	#repositoryChanged(stamp: string, text: string): void {
		const before = this.#changes.stamp === stamp ? this.#changes.text : "";
		this.#changes = { stamp, text };
		if (text !== before && this.#shown && this.stamp === stamp && this.#deps.state())
			this.#paint(this.#shown);
	}

	#paint({ reading, shown: recap }: Prepared): void {
		const { ctx, commons, screen } = this.#deps;
		const window = ctx.model?.contextWindow ?? 0;
		screen.show(
			cardContent({
				recap,
				at: reading.at,
				fill: reading.calls && window > 0 ? reading.calls.context / window : undefined,
				name: reading.timeline.name,
				words: commons.words(reading.language),
				now: Date.now(),
				repository: this.#changes.stamp === reading.stamp ? this.#changes.text : "",
			}),
		);
	}
}

const KEY = "session-resume";

export type CardScreen = ReturnType<typeof createCardScreen>;

type Ui = Pick<
	ExtensionUIContext,
	"setWidget" | "setStatus" | "notify" | "getEditorText" | "setEditorText" | "onTerminalInput" | "theme"
>;

export function createCardScreen(ui: Ui, keys: CardKeys) {
	const screen = createScreen(ui, KEY);
	return {
		...screen,
		show(view: CardContent): void {
			screen.show(
				() => layCard(view).map((line) => line.map(({ text }) => text).join("")),
				(rows) =>
					cardComponent(view, painterOf(ui.theme), () => ({ rows: rows(), hints: hintsOf(view.next, keys) })),
			);
		},
		typed: () => ui.getEditorText(),
		fillEditor(text: string): void {
			const typed = ui.getEditorText();
			const isThere = typed === text || typed.startsWith(`${text}\n`);
			if (!isThere) ui.setEditorText(typed.trim() === "" ? text : `${text}\n\n${typed}`);
			// In pi 0.73.1, `setEditorText` does not redraw the screen, but `setStatus` does.
			if (screen.isTerminal()) ui.setStatus(`${KEY}:editor`, undefined);
		},
	};
}

const MARGIN = 1;

export function cardComponent(view: CardContent, painter: PiecePainter, size: () => CardSize) {
	return {
		render(width: number): string[] {
			const lines = layCard(view, { columns: Math.max(1, width - 2 * MARGIN), ...size() });
			return lines.map((line) => " ".repeat(Math.min(MARGIN, width - 1)) + painted(line, painter));
		},
		invalidate: () => undefined,
	};
}
