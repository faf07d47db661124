import { AssistantMessageComponent, type Theme, UserMessageComponent } from "@mariozechner/pi-coding-agent";
import { type Component, Container, Text } from "@mariozechner/pi-tui";
import { readTranscript, type Said, type Transcript } from "./transcript.ts";
import type { BoardKey } from "./types.ts";

/** Marks of prompts for the terminal: these are not prompts of this session. */
const ZONES = /\x1b\]133;[A-Z]\x07/g;

export interface PaneDeps {
	path: string;
	theme: Theme;
	changed(): void;
}

/** The last messages of a session, drawn by the host's own components, to be scrolled through. */
export class TranscriptPane {
	readonly #deps: PaneDeps;
	readonly #over = new AbortController();
	#transcript: Transcript | undefined;
	#drawn: { width: number; lines: string[] } | undefined;
	/** Lines between the end and the last one shown: what was said last is seen first. */
	#fromEnd = 0;
	#page = 1;

	constructor(deps: PaneDeps) {
		this.#deps = deps;
		void readTranscript(deps.path, this.#over.signal).then((transcript) => {
			if (this.#over.signal.aborted) return;
			this.#transcript = transcript;
			deps.changed();
		});
	}

	/** Exactly this many lines. */
	lines(width: number, height: number): string[] {
		this.#page = Math.max(1, height);
		const all = this.#all(width);
		this.#fromEnd = clamp(this.#fromEnd, all.length - this.#page);
		const end = all.length - this.#fromEnd;
		const shown = all.slice(Math.max(0, end - this.#page), end);
		return [...shown, ...Array.from({ length: this.#page - shown.length }, () => "")];
	}

	/** Whether the key scrolls. */
	scroll(key: BoardKey): boolean {
		const by = scrollBy(key, this.#page);
		if (by === undefined) return false;
		this.#fromEnd = clamp(this.#fromEnd + by, (this.#drawn?.lines.length ?? 0) - this.#page);
		this.#deps.changed();
		return true;
	}

	close(): void {
		this.#over.abort();
	}

	#all(width: number): string[] {
		const { theme } = this.#deps;
		if (!this.#transcript) return [theme.fg("muted", " …")];
		if (this.#drawn?.width !== width) this.#drawn = { width, lines: drawn(this.#transcript, width, theme) };
		return this.#drawn.lines;
	}
}

/** Lines that a key goes up; undefined for any other key. */
export function scrollBy(key: BoardKey, page: number): number | undefined {
	switch (key) {
		case "up":
			return 1;
		case "down":
			return -1;
		case "page_up":
			return page - 1 || 1;
		case "page_down":
			return 1 - page || -1;
		case "home":
			return Number.MAX_SAFE_INTEGER;
		case "end":
			return -Number.MAX_SAFE_INTEGER;
		default:
			return undefined;
	}
}

function clamp(value: number, high: number): number {
	return Math.max(0, Math.min(value, high));
}

function drawn(transcript: Transcript, width: number, theme: Theme): string[] {
	const all = new Container();
	if (!transcript.ok) all.addChild(new Text(theme.fg("warning", transcript.detail), 1, 0));
	else {
		if (transcript.cut) all.addChild(new Text(theme.fg("dim", "…"), 1, 0));
		for (const said of transcript.said) all.addChild(componentOf(said, theme));
	}
	return all.render(width).map((line) => line.replace(ZONES, ""));
}

function componentOf({ by, text }: Said, theme: Theme): Component {
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

/** A reply of these words and nothing else, as the host wants it to draw it. */
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
