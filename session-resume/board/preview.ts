import { displayWidth, wrapColumns } from "../../session-core/host/columns.ts";
import type { SessionRecord } from "../../session-core/recap/record.ts";
import { endingText, nextLines } from "../../session-core/recap/text.ts";
import { projectOf, type SessionView, withLease } from "../../session-core/session-view/view.ts";
import { foldCase } from "../../session-core/text/case-folding.ts";
import { cleanLine } from "../../session-core/text/sanitize.ts";
import { describeState, longAge } from "../../session-core/words/age.ts";
import { type CardWords, ENGLISH } from "../../session-core/words/card-words.ts";
import { liveStateOf } from "../live/writers.ts";
import { rowOfItem } from "./list.ts";
import type { Row } from "./row.ts";
import { glyphOf } from "./row-view.ts";
import { clipStart, type Span, type Style, span, row as spanRow, widthOf } from "./spans.ts";
import type { BoardState } from "./state.ts";

interface View {
	width: number;
	lines: number;
}

/** Renders the preview of the session under the cursor. The result has exactly the given number of lines. */
export function previewLines(board: BoardState, { width, lines: count }: View, now: number): Span[][] {
	const item = board.list.items[board.list.cursor];
	const row = rowOfItem(item);
	const lines: Span[][] = [];
	const add = (text: string, style: Style) => {
		for (const line of wrapColumns(cleanLine(text), { columns: Math.max(1, width) }))
			lines.push([span(line, style)]);
	};
	if (row) {
		lines.push([span(row.title, "strong")], factsLine(row, board, { width, now }));
		const figures = figuresOf(row, board);
		if (figures !== "") add(figures, "muted");
		if (item?.type === "hit") add(`“${item.hit.excerpt}”`, "accent");
		const live = liveStateOf(board.list.live, row);
		const view = live ? withLease(row, live) : row;
		const { record = row.record, sentences, words = ENGLISH } = board.previewOf(row)?.card?.described ?? {};
		if (record) addRecord(record, view, { sentences, add, words });
		else {
			if (row.prompt !== undefined && row.prompt !== row.title) add(row.prompt, "plain");
			if (view.ending !== undefined) add(endingText(view.ending, words), "warning");
		}
	}
	return Array.from({ length: count }, (_, index) => spanRow(lines[index] ?? [], width));
}

function addRecord(
	record: SessionRecord,
	view: SessionView,
	{
		sentences,
		add,
		words,
	}: { sentences: string | undefined; add: (text: string, style: Style) => void; words: CardWords },
): void {
	const headline = sentences ?? record.headline;
	if (!startsWith(view.title, headline)) add(headline, "plain");
	if (view.ending !== undefined)
		add(endingText(view.ending, words), record.outcome === "error" ? "error" : "warning");
	if (view.state !== "working") for (const action of nextLines(record, words)) add(`→ ${action}`, "accent");
	if (sentences === undefined) for (const bullet of record.bullets) add(`• ${bullet}`, "dim");
	const artifacts = record.artifacts.map(({ label }) => label).filter(Boolean);
	if (artifacts.length > 0) add(artifacts.join(" · "), "muted");
}

/** Whether the title begins with the headline, so that the headline need not be repeated. */
function startsWith(title: string, headline: string): boolean {
	return foldCase(title).startsWith(foldCase(headline.replace(/…$/, "")));
}

/** Returns the line that contains state, age, model, kind and folder. The folder gets the remaining width. */
function factsLine(row: Row, { list }: BoardState, { width, now }: { width: number; now: number }): Span[] {
	const live = liveStateOf(list.live, row);
	const state: Span[] = [];
	if (live) {
		const where = live.own ? "here" : `pid ${live.pid}`;
		state.push(glyphOf(live.state), span(`${describeState(live, now)}, ${where} · `, "muted"));
	}
	const kinds: Partial<Record<Row["kind"], string>> = {
		headless: "headless run",
		child: "started by another session",
		fork: "fork",
	};
	const text = [longAge(row.modified, now), row.model, kinds[row.kind]]
		.filter((fact) => fact !== undefined)
		.join(" · ");
	const room = width - widthOf(state) - displayWidth(text) - " · ".length;
	const folder = room > 8 && row.cwd !== "" ? ` · ${clipStart(projectOf(row.cwd), room)}` : "";
	return [...state, span(text + folder, "muted")];
}

/** Returns the session's start time and figures from its file and repository; empty until the file and the repository have been read. */
function figuresOf(row: Row, board: BoardState): string {
	const facts = board.previewOf(row)?.facts;
	if (!facts) return "";
	const { messages, cost, fill, branch, worktree } = facts;
	return [
		`started ${startOf(row.created)}`,
		messages !== undefined && `${messages} message${messages === 1 ? "" : "s"}`,
		fill !== undefined && `context ${Math.round(fill * 100)} %`,
		cost !== undefined && `cost ${cost < 0.01 ? cost.toFixed(4) : cost.toFixed(2)}`,
		branch !== undefined && `branch ${branch}`,
		worktree !== undefined && `worktree ${worktree}`,
	]
		.filter(Boolean)
		.join(" · ");
}

/** Formats a timestamp in the local time zone. The format is the same in every language. */
function startOf(time: number): string {
	const date = new Date(time);
	const two = (value: number) => String(value).padStart(2, "0");
	const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
	return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}
