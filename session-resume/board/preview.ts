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
	type SessionRecord,
} from "../../session-core/recap/index.ts";
import {
	describeState,
	OUTCOME_COLORS,
	type Overlap,
	projectOf,
	resumePriceText,
} from "../../session-core/sessions/index.ts";
import { costText } from "../../session-core/text/index.ts";
import { clipStart, fitRow, type Piece, piece, type Style, widthOf, wrappedPieces } from "../pieces.ts";
import { type BoardState, type Row, rowOfItem } from "./list.ts";
import { stateGlyph } from "./row-view.ts";

/**
 * Renders the preview of the session under the cursor: its title, the text that a search has found, the question or next step, the summary,
 * and finally the metadata in a dim line. The result has exactly the given number of lines.
 */
export function previewLines(
	board: BoardState,
	{ width, lines: count }: { width: number; lines: number },
	now: number,
): Piece[][] {
	const item = board.list.items[board.list.cursor];
	const row = rowOfItem(item);
	const lines: Piece[][] = [];
	const add = (text: string, style: Style) => void lines.push(...wrappedPieces(text, width, style));
	if (row) {
		const { record = row.record, words = ENGLISH } = board.previewOf(row)?.card?.described ?? {};
		const topic = row.topic === "" ? [] : [piece(` · ${row.topic}`, "dim")];
		lines.push([piece(row.title, "strong"), ...topic]);
		if (item?.type === "hit") add(`“${item.hit.excerpt}”`, "accent");
		for (const overlap of board.overlapsOf(row)) add(overlapText(overlap, board), "warning");
		if (row.ending?.outcome === "error") add(endingText(row.ending, words), OUTCOME_COLORS.error);
		if (row.dialog !== undefined) add(`◆ ${row.dialog}`, OUTCOME_COLORS.waiting);
		else if (row.state !== "working") {
			const next = record ? nextLines(record, words) : [row.next?.text].filter((text) => text !== undefined);
			for (const text of next) add(`→ ${text}`, row.waits ? OUTCOME_COLORS.waiting : "accent");
		}
		if (record) addRecord(record, row, words, add);
		else if (row.prompt !== undefined && row.prompt !== row.title) add(row.prompt, "plain");
		// The metadata takes the lines that the text leaves free, but always at least one.
		lines.splice(Math.max(1, count - 1));
		lines.push(...metadata(row, board, { words, now, width, max: count - lines.length }));
	}
	return Array.from({ length: count }, (_, index) => fitRow(lines[index] ?? [], width));
}

function overlapText({ path, session, at }: Overlap, { list }: BoardState): string {
	const title = list.rows.find(({ id }) => id === session)?.title;
	return `⚠ ${projectOf(path)}: also changed at ${clockOf(at)} in ${title === undefined ? "another session" : `“${title}”`}`;
}

function addRecord(
	record: SessionRecord,
	{ title, topic }: Row,
	words: CardWords,
	add: (text: string, style: Style) => void,
): void {
	// The topic is already shown beside the title.
	for (const line of leadLines(record, topic || title)) add(line, "plain");
	for (const bullet of ownBullets(record, words)) add(`• ${bullet}`, "plain");
	const artifacts = record.artifacts.map(({ label }) => label).filter(Boolean);
	if (artifacts.length > 0) add(artifacts.join(" · "), "muted");
}

const KINDS: Partial<Record<Row["kind"], string>> = {
	headless: "headless run",
	child: "started by another session",
	fork: "fork",
};
const FOLDER_COLUMNS = 30;

/** Facts that few people look for come last. Facts from the whole file and from the repository appear once they have been read. */
function metadata(
	row: Row,
	board: BoardState,
	{ words, now, width, max }: { words: CardWords; now: number; width: number; max: number },
): Piece[][] {
	const facts = board.previewOf(row)?.facts;
	const { messages, cost, contextWindow, rates, branch, worktree } = facts ?? {};
	const described = board.previewOf(row)?.card?.described;
	const fill = contextWindow && described?.calls ? described.calls.context / contextWindow : undefined;
	const { live, ending } = row;
	const glyph = stateGlyph(row) ?? piece("");
	const text = [
		live && describeState(live, now),
		ending && ending.outcome !== "error" && live?.state !== "waiting" && endingText(ending, words),
		longAge(row.modified, now),
		!live && described && resumePriceText(described, now, rates),
		KINDS[row.kind],
		row.cwd !== "" && clipStart(projectOf(row.cwd), FOLDER_COLUMNS),
		branch !== undefined && `branch ${branch}`,
		worktree !== undefined && `worktree ${worktree}`,
		facts && `started ${`${dateOf(row.created)} ${clockOf(row.created)}`}`,
		messages !== undefined && `${messages} message${messages === 1 ? "" : "s"}`,
		fill !== undefined && `context ${Math.min(100, Math.round(fill * 100))} %`,
		live && (live.own ? "here" : `pid ${live.pid}`),
		row.openIn > 1 && `open in ${row.openIn} tabs, which mix their histories`,
		row.model,
		cost !== undefined && `cost ${costText(cost)}`,
	];
	const lines = [[glyph]];
	let joint = "";
	for (const fact of text) {
		if (!fact) continue;
		const line = lines.at(-1) ?? [];
		const joined = piece(joint + fact, "dim");
		joint = " · ";
		// Facts are not broken across lines. If the last line has no room for a whole fact, the fact is cut off.
		if (lines.length >= max || widthOf([...line, joined]) <= width) line.push(joined);
		else lines.push([piece(fact, "dim")]);
	}
	return lines;
}
