import { wrapTextWithAnsi } from "@mariozechner/pi-tui";
import type { Recap } from "../../session-core/recap/record.ts";
import { nextLines, stateLine } from "../../session-core/recap/text.ts";
import { displayWidth } from "../../session-core/text/clip.ts";
import { cleanLine } from "../../session-core/text/sanitize.ts";
import { longAge } from "../../session-core/words/age.ts";
import type { Words } from "../../session-core/words/words.ts";
import { describeState } from "../live/question.ts";
import { rowOfItem } from "./items.ts";
import { glyphOf } from "./list.ts";
import { liveStateOf } from "./order.ts";
import { folded, projectOf } from "./row.ts";
import { clipStart, type Span, type Style, span, row as spanRow } from "./spans.ts";
import type { Board, LiveState, Row } from "./types.ts";

function kindOf(kind: Row["kind"], { board }: Words): string | undefined {
	switch (kind) {
		case "headless":
			return board.headless;
		case "child":
			return board.child;
		case "fork":
			return board.forked;
		default:
			return undefined;
	}
}

/** What is known of the session under the cursor, in exactly this many lines. */
export function previewLines(board: Board, size: { width: number; lines: number }, now: number): Span[][] {
	const { words } = board;
	const item = board.items[board.cursor];
	const row = rowOfItem(item);
	const lines: Span[][] = [];
	const add = (text: string, style: Style, indent = 0) => {
		for (const line of wrapped(text, size.width - indent))
			lines.push([span(" ".repeat(indent)), span(line, style)]);
	};
	if (row) {
		lines.push(
			[span(row.title, "strong")],
			factsLine(row, liveStateOf(board.live, row), { width: size.width, now, words }),
		);
		const figures = figuresOf(row, board);
		if (figures !== "") add(figures, "muted");
		if (item?.type === "hit") add(`“${item.hit.excerpt}”`, "accent");
		addState(row, recapOf(board, row), { add, words });
	}
	return Array.from({ length: size.lines }, (_, index) => spanRow(lines[index] ?? [], size.width));
}

function addState(
	row: Row,
	recap: Recap | undefined,
	{ add, words }: { add: (text: string, style: Style) => void; words: Words },
): void {
	if (!recap) {
		if (row.prompt !== undefined && row.prompt !== row.title) add(row.prompt, "plain");
		if (row.ending !== undefined) add(row.ending, "warning");
		return;
	}
	const state = stateLine(recap, words);
	if (!saysTheSame(recap.headline, row.title)) add(recap.headline, "plain");
	if (state !== "") add(state, recap.outcome === "error" ? "error" : "warning");
	for (const action of nextLines(recap, words)) add(`→ ${action}`, "accent");
	for (const bullet of recap.bullets) add(`• ${bullet}`, "dim");
	const artifacts = recap.artifacts.map(({ label }) => label).filter(Boolean);
	if (artifacts.length > 0) add(artifacts.join(" · "), "muted");
}

/** A headline is often the title's beginning: a second time it tells nothing. */
function saysTheSame(headline: string, title: string): boolean {
	return folded(title).startsWith(folded(headline.replace(/…$/, "")));
}

/** State, age, model, kind and folder; the folder gets what room is left. */
interface Shown {
	width: number;
	now: number;
	words: Words;
}

function factsLine(row: Row, live: LiveState | undefined, { width, now, words }: Shown): Span[] {
	const facts = [longAge(row.modified, now, words.age)];
	if (row.model !== undefined) facts.push(row.model);
	const kind = kindOf(row.kind, words);
	if (kind !== undefined) facts.push(kind);
	const state: Span[] = live
		? [
				glyphOf(live.state),
				span(
					` ${describeState(live, now, words)}${live.own ? `, ${words.live.here}` : `, pid ${live.pid}`} · `,
					"muted",
				),
			]
		: [];
	const text = facts.join(" · ");
	const used = state.reduce((sum, { text: part }) => sum + displayWidth(part), 0) + displayWidth(text) + 3;
	const folder =
		width - used > 8 && row.cwd !== "" ? ` · ${clipStart(projectOf(row.cwd), width - used)}` : "";
	return [...state, span(text + folder, "muted")];
}

/** When it began, and what the whole file and the repository tell once they are read. */
function figuresOf(row: Row, board: Board): string {
	const read = board.sessionFacts.get(row.path);
	const facts = read?.stamp === row.stamp ? read.facts : undefined;
	if (!facts) return "";
	const { messages, cost, fill, branch, worktree } = facts;
	const words = board.words.board;
	return [
		words.started(startOf(row.created)),
		messages !== undefined && words.messages(messages),
		fill !== undefined && words.context(Math.round(fill * 100)),
		cost !== undefined && words.cost(cost < 0.01 ? cost.toFixed(4) : cost.toFixed(2)),
		branch !== undefined && words.branch(branch),
		worktree !== undefined && words.worktree(worktree),
	]
		.filter(Boolean)
		.join(" · ");
}

/** Reads the same in every language, by the user's own clock. */
function startOf(time: number): string {
	const date = new Date(time);
	const two = (value: number) => String(value).padStart(2, "0");
	const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
	return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** The stored record if it is current, else what was read from the end of the file, if that is. */
function recapOf(board: Board, row: Row): Recap | undefined {
	const preview = board.previews.get(row.path);
	return row.recap ?? (preview?.stamp === row.stamp ? preview.recap : undefined);
}

function wrapped(text: string, width: number): string[] {
	return wrapTextWithAnsi(cleanLine(text), Math.max(1, width));
}
