import {
	AssistantMessageComponent,
	type Component,
	Container,
	Text,
	type Theme,
	UserMessageComponent,
} from "../../session-core/pi/host/index.ts";
import { type BoardKey, moveCursor } from "./keys.ts";
import { readTranscript, type Transcript, type TranscriptItem } from "./transcript.ts";

/** Matches OSC 133, which marks prompts. Those in a transcript are not prompts of the user's current session. */
const ZONES = /\x1b\]133;[A-Z]\x07/g;

/** Scrollable text that fills the screen below the header. */
export class Pane {
	readonly #draw: (width: number) => string[];
	#drawn: { width: number; lines: string[] } | undefined;
	#fromEnd: number;
	#page = 1;

	constructor(draw: (width: number) => string[], { from }: { from: "start" | "end" }) {
		this.#draw = draw;
		this.#fromEnd = from === "end" ? 0 : Number.POSITIVE_INFINITY;
	}

	lines(width: number, height: number): string[] {
		this.#page = Math.max(1, height);
		if (this.#drawn?.width !== width) this.#drawn = { width, lines: this.#draw(width) };
		const all = this.#drawn.lines;
		this.#fromEnd = clamp(this.#fromEnd, all.length - this.#page);
		const end = all.length - this.#fromEnd;
		return all.slice(Math.max(0, end - this.#page), end);
	}

	scroll(key: BoardKey): boolean {
		const last = Math.max(0, (this.#drawn?.lines.length ?? 0) - this.#page);
		// Each page repeats one line of the previous page.
		const page = Math.max(1, this.#page - 1);
		const top = moveCursor(key, { cursor: last - this.#fromEnd, page, last });
		if (top === undefined) return false;
		this.#fromEnd = clamp(last - top, last);
		return true;
	}
}

function clamp(value: number, high: number): number {
	return Math.max(0, Math.min(value, high));
}

export function transcriptPane(path: string, theme: Theme): Pane {
	const transcript = readTranscript(path);
	return new Pane((width) => drawn(transcript, width, theme), { from: "end" });
}

function drawn(transcript: Transcript, width: number, theme: Theme): string[] {
	const all = new Container();
	if (!transcript.ok) all.addChild(new Text(theme.fg("warning", transcript.detail), 1, 0));
	else {
		if (transcript.cut) all.addChild(new Text(theme.fg("dim", "…"), 1, 0));
		for (const item of transcript.items) all.addChild(componentOf(item, theme));
	}
	return all.render(width).map((line) => line.replace(ZONES, ""));
}

function componentOf({ by, text }: TranscriptItem, theme: Theme): Component {
	switch (by) {
		case "user":
			return new UserMessageComponent(text);
		case "assistant":
			return new AssistantMessageComponent(replyOf(text));
		case "tool":
			return new Text(theme.fg("dim", `• ${text}`), 1, 0);
		case "shell":
			return new Text(theme.fg("muted", `$ ${text}`), 1, 0);
	}
}

type Reply = NonNullable<ConstructorParameters<typeof AssistantMessageComponent>[0]>;

const FREE = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };

function replyOf(text: string): Reply {
	return {
		role: "assistant",
		content: [{ type: "text", text }],
		api: "",
		provider: "",
		model: "",
		usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost: FREE },
		stopReason: "stop",
		timestamp: 0,
	};
}
