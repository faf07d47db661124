import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import { hostTui } from "../../session-core/terminal/host-tui.ts";
import type { Wordbook } from "../../session-core/words/wordbook.ts";
import type { Words } from "../../session-core/words/words.ts";
import { watchNeeds } from "./needs-watch.ts";

const KEY = "session-resume:needs";

/** How many other sessions need their user; nothing for none. */
export function needsText(count: number, { live }: Pick<Words, "live">): string | undefined {
	return count === 0 ? undefined : `◆ ${live.needYou(count)}`;
}

export interface FooterDeps {
	ui: Pick<ExtensionContext["ui"], "setStatus" | "setWidget" | "theme">;
	agentDir: string;
	sessionId: string;
	wordbook: Pick<Wordbook, "words" | "loading">;
}

/** Says in the footer how many other sessions need their user. Returns the way to end it. */
export function showNeeds({ ui, agentDir, sessionId, wordbook }: FooterDeps): () => void {
	let shown: string | undefined;
	let isOver = false;
	const endWatch = watchNeeds({ agentDir, sessionId, now: Date.now, changed: (count) => void show(count) });

	async function show(count: number): Promise<void> {
		await wordbook.loading;
		if (isOver) return;
		shown = needsText(count, wordbook.words);
		// A program wants no escape sequences.
		const isPainted = shown !== undefined && hostTui(ui, KEY) !== undefined;
		ui.setStatus(KEY, isPainted && shown !== undefined ? ui.theme.fg("dim", shown) : shown);
	}

	return () => {
		isOver = true;
		endWatch();
		if (shown !== undefined) ui.setStatus(KEY, undefined);
	};
}
