import {
	type CardWords,
	clockOf,
	dateOf,
	ENGLISH,
	endingText,
	leadLines,
	longAge,
	nextLines,
	ownBullets,
} from "../../session-core/recap/index.ts";
import {
	describeState,
	modelText,
	OUTCOME_COLORS,
	type Overlap,
	overlapLine,
	resumePriceText,
} from "../../session-core/sessions/index.ts";
import { costText, shownPath } from "../../session-core/text/index.ts";
import { clipStart, fitRow, type Piece, piece, type Style, widthOf, wrappedPieces } from "../pieces.ts";
import type { Preview } from "./acts.ts";
import { isOpenHere, type List, newTopicOf, openIn, type Row } from "./list.ts";
import { stateGlyph } from "./row-view.ts";

export function previewLines(
	{ item, row, rows, live }: Pick<List, "item" | "row" | "rows" | "live">,
	preview: Preview | undefined,
	{ width, lines: count, now }: { width: number; lines: number; now: number },
): Piece[][] {
	const lines: Piece[][] = [];
	if (row) {
		const { record = row.record, words = ENGLISH } = preview?.described ?? {};
		const add = (text: string, style: Style) => void lines.push(...wrappedPieces(text, width, style));
		const topic = newTopicOf(row);
		lines.push([piece(row.title, "strong"), ...(topic === "" ? [] : [piece(` · ${topic}`, "dim")])]);
		if (item?.type === "hit") add(`“${item.hit.excerpt}”`, "accent");
		for (const overlap of row.overlaps) add(overlapText(overlap, rows), "warning");
		if (row.ending?.outcome === "error") add(endingText(row.ending, words), OUTCOME_COLORS.error);
		const { dialog } = row.lease ?? {};
		if (dialog !== undefined) add(`◆ ${dialog}`, OUTCOME_COLORS.waiting);
		else if (row.state !== "working") {
			const next = record ? nextLines(record, words) : [row.next?.text ?? ""].filter(Boolean);
			for (const text of next) add(`→ ${text}`, row.waits ? OUTCOME_COLORS.waiting : "accent");
		}
		if (record) {
			for (const line of leadLines(record, topic || row.title)) add(line, "plain");
			for (const bullet of ownBullets(record, words)) add(`• ${bullet}`, "plain");
			const artifacts = record.artifacts.map(({ label }) => label).filter(Boolean);
			if (artifacts.length > 0) add(artifacts.join(" · "), "muted");
		} else if (row.firstPrompt !== undefined && row.firstPrompt !== row.title) add(row.firstPrompt, "plain");
		lines.splice(Math.max(1, count - 1));
		const facts = factsOf(row, preview, { words, now, tabs: openIn(row, live) });
		lines.push(...joinedFacts([stateGlyph(row) ?? piece("")], facts, width, count - lines.length));
	}
	return Array.from({ length: count }, (_, index) => fitRow(lines[index] ?? [], width));
}

function overlapText({ path, session, at }: Overlap, rows: readonly Row[]): string {
	const title = rows.find(({ id }) => id === session)?.title;
	return overlapLine({ path: shownPath(path), time: clockOf(at), title });
}

const KINDS: Partial<Record<Row["kind"], string>> = {
	headless: "headless run",
	child: "started by another session",
	fork: "fork",
};
const FOLDER_COLUMNS = 30;

/** The most useful facts come first, because a narrow preview cuts off the last facts. */
function factsOf(
	row: Row,
	preview: Preview | undefined,
	{ words, now, tabs }: { words: CardWords; now: number; tabs: number },
): string[] {
	const { described, facts } = preview ?? {};
	const { messages, cost, contextWindow, rates, branch, worktree } = facts ?? {};
	const fill = contextWindow && described?.calls ? described.calls.context / contextWindow : undefined;
	const { lease, ending } = row;
	const texts = [
		lease && describeState(lease, now),
		ending && ending.outcome !== "error" && lease?.state !== "waiting" && endingText(ending, words),
		longAge(row.modified, now),
		!lease && described && resumePriceText(described, now, rates),
		KINDS[row.kind],
		row.cwd !== "" && clipStart(row.project, FOLDER_COLUMNS),
		branch !== undefined && `branch ${branch}`,
		worktree !== undefined && `worktree ${worktree}`,
		facts && `started ${dateOf(row.created)} ${clockOf(row.created)}`,
		messages !== undefined && `${messages} message${messages === 1 ? "" : "s"}`,
		fill !== undefined && `context ${Math.min(100, Math.round(fill * 100))} %`,
		lease && (isOpenHere(row) ? "here" : `pid ${lease.pid}`),
		tabs > 1 && `open in ${tabs} tabs, which mix their histories`,
		modelText(row),
		cost !== undefined && `cost ${costText(cost)}`,
	];
	return texts.flatMap((text) => text || []);
}

function joinedFacts(first: Piece[], facts: readonly string[], width: number, most: number): Piece[][] {
	const lines = [first];
	for (const [index, fact] of facts.entries()) {
		const line = lines.at(-1) ?? [];
		const joined = piece(index === 0 ? fact : ` · ${fact}`, "dim");
		if (lines.length >= most || widthOf([...line, joined]) <= width) line.push(joined);
		else lines.push([piece(fact, "dim")]);
	}
	return lines;
}
