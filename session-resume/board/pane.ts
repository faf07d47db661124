import {
	leftOutIn,
	type Message,
	openSessionFile,
	readMessage,
	type ToolCall,
} from "../../session-core/log/index.ts";
import {
	AssistantMessageComponent,
	type Component,
	Container,
	Text,
	type Theme,
	UserMessageComponent,
} from "../../session-core/pi/index.ts";
import {
	background,
	cleanLine,
	inSlices,
	Pace,
	type Steps,
	safeSteps,
} from "../../session-core/text/index.ts";
import { type BoardKey, moveCursor } from "./keys.ts";

export class Pane {
	readonly #draw: (width: number) => string[];
	#drawn: { width: number; lines: string[] } | undefined;
	#below: number;
	#page = 1;

	constructor(draw: (width: number) => string[], { from }: { from: "start" | "end" }) {
		this.#draw = draw;
		this.#below = from === "end" ? 0 : Number.POSITIVE_INFINITY;
	}

	get #hidden(): number {
		return Math.max(0, (this.#drawn?.lines.length ?? 0) - this.#page);
	}

	lines(width: number, height: number): string[] {
		this.#page = Math.max(1, height);
		if (this.#drawn?.width !== width) this.#drawn = { width, lines: this.#draw(width) };
		const all = this.#drawn.lines;
		this.#below = Math.min(this.#below, this.#hidden);
		const end = all.length - this.#below;
		return all.slice(Math.max(0, end - this.#page), end);
	}

	redraw(): void {
		this.#drawn = undefined;
	}

	scroll(key: BoardKey): boolean {
		const last = this.#hidden;
		const page = Math.max(1, this.#page - 1);
		const top = moveCursor(key, { cursor: last - this.#below, page, last });
		if (top !== undefined) this.#below = last - top;
		return top !== undefined;
	}
}

/**
 * OSC 133 sequences are removed from transcripts, because the user's terminal would interpret them as
 * shell prompts.
 */
const ZONES = /\x1b\]133;[A-Z]\x07/g;

/** The preview pane is empty until the transcript has been read. Then `changed` is called. */
export function transcriptPane(path: string, theme: Theme, changed: () => void): Pane {
	const all = new Container();
	const pane = new Pane((width) => all.render(width).map((line) => line.replace(ZONES, "")), { from: "end" });
	background("sessions", async () => {
		const transcript = await readTranscript(path);
		if (!transcript.ok) all.addChild(new Text(theme.fg("warning", transcript.detail), 1, 0));
		else {
			if (transcript.cut) all.addChild(new Text(theme.fg("dim", "…"), 1, 0));
			for (const item of transcript.items) all.addChild(componentOf(item, theme));
		}
		pane.redraw();
		changed();
	});
	return pane;
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

interface TranscriptItem {
	by: "user" | "assistant" | "tool" | "shell";
	text: string;
}

const MOST = 80;
/** Long text is truncated, because pi takes minutes to paint 400 KB of text without line breaks. */
const TEXT = 6_000;
const ARGUMENT = 160;
/** Long words are split, because pi takes minutes to paint long text without spaces. */
const WORD = /\S{200}/g;

export async function readTranscript(
	path: string,
): Promise<{ ok: true; items: readonly TranscriptItem[]; cut: boolean } | { ok: false; detail: string }> {
	const read = await openSessionFile(path);
	if (!read.ok) return read;
	const { step } = new Pace();
	const { entries } = read.session.slice;
	const from = Math.max(0, entries.findLastIndex(leftOutIn) - 1);
	const items: TranscriptItem[] = [];
	for (const entry of entries.slice(from).reverse()) {
		const message = readMessage(entry);
		if (message) items.unshift(...(await inSlices(itemsIn(message), step)));
		if (items.length > MOST) break;
	}
	return { ok: true, items: items.slice(-MOST), cut: from > 0 || items.length > MOST };
}

function* itemsIn(message: Message): Steps<TranscriptItem[]> {
	yield;
	switch (message.role) {
		case "user": {
			const text = message.text || (message.images > 0 ? "[image]" : "");
			return [{ by: "user", text: yield* shown(text) }];
		}
		case "assistant": {
			const { text, stopReason, errorMessage, calls } = message;
			const cause = stopReason === "error" || stopReason === "aborted" ? errorMessage || stopReason : "";
			const items: TranscriptItem[] = [];
			for (const one of [text, cause].filter(Boolean))
				items.push({ by: "assistant", text: yield* shown(one) });
			for (const call of calls) items.push({ by: "tool", text: yield* callLine(call) });
			return items;
		}
		case "bash":
			return [{ by: "shell", text: cleanLine(yield* safeSteps(message.command)).slice(0, ARGUMENT) }];
		case "toolResult":
			return [];
	}
}

function* callLine({ name, args }: ToolCall): Steps<string> {
	const main = Object.values(args).find((value) => typeof value === "string");
	const argument = typeof main === "string" ? cleanLine(yield* safeSteps(main)) : "";
	return `${cleanLine(name)} ${argument.slice(0, ARGUMENT)}`.trim();
}

function* shown(text: string): Steps<string> {
	const safe = yield* safeSteps(text);
	const bounded = safe.length > TEXT ? `${safe.slice(0, TEXT).toWellFormed()} …` : safe;
	return bounded.replace(WORD, "$& ").trim();
}
