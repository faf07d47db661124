/** Finds open items by their form in the last reply, or an interrupted request. The user's next message closes these items. */

import { lastTurn, type Timeline } from "../log/timeline/index.ts";
import { cleanLine, cutAtClause, headUnits, plainLine, readReply, safeText } from "../text/index.ts";
import { MAX_RECORD_TEXT, NEXT_COLUMNS, type NextStep } from "./record.ts";

const MOST = 3;

export function openActions(timeline: Pick<Timeline, "turns" | "outcome">): NextStep[] {
	const last = lastTurn(timeline.turns);
	if (!last) return [];
	if (timeline.outcome === "done" || timeline.outcome === "waiting") return openIn(last.reply ?? "");
	// The request is put back into the editor, so its wording is not changed.
	const text = headUnits(cleanLine(safeText(last.request ?? "")), MAX_RECORD_TEXT);
	return text === "" ? [] : [{ kind: "cut_short", text }];
}

/**
 * Returns the complete text of an interrupted request; undefined if the item is of another kind. `isTyped`: whether the text is for the
 * user's own editor, so that secrets in it are kept.
 */
export function wholeRequest(
	{ turns }: Timeline,
	{ kind, text }: NextStep,
	isTyped = false,
): string | undefined {
	const { request = "", typed = "" } = lastTurn(turns) ?? {};
	const isSame = cleanLine(safeText(request)).startsWith(text.replace(/…$/, ""));
	if (kind !== "cut_short" || !isSame) return undefined;
	return (isTyped && typed) || request;
}

function openIn(reply: string): NextStep[] {
	const { questions, unticked } = readReply(reply);
	const lineOf = (kind: NextStep["kind"]) => (text: string) => ({
		kind,
		text: cutAtClause(plainLine(text), NEXT_COLUMNS),
	});
	const points = [...questions.map(lineOf("question")), ...unticked.map(lineOf("step"))];
	return points
		.filter(({ text }, index) => text !== "" && points.findIndex((other) => other.text === text) === index)
		.slice(0, MOST);
}
