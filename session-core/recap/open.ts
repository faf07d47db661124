/**
 * Finds open items: the closing questions, requests and offers, the next steps and the unticked checkboxes of the last reply, and, after an
 * abort or an error, the interrupted request. The user's next message settles them, whatever follows it.
 */

import { cutAtClause, plainLine } from "../text/fit-line.ts";
import { isQuestion, readReply } from "../text/reply.ts";
import { lastTurn } from "../timeline/turn.ts";
import type { Timeline } from "../timeline/types.ts";
import { nextSteps } from "./next-step-phrases.ts";
import type { NextKind } from "./record.ts";
import { requestLine } from "./requests.ts";

const MOST = 3;
const COLUMNS = 150;
/** Maximum width, in columns, of a quoted request that was interrupted. Nearly all requests fit. */
const CUT_COLUMNS = 320;

/** What is open, and of which kind it is. */
export interface OpenPoint {
	kind: NextKind;
	text: string;
}

export function openActions(timeline: Timeline): OpenPoint[] {
	const last = lastTurn(timeline.turns);
	if (!last) return [];
	if (timeline.outcome === "done" || timeline.outcome === "waiting") return openIn(last.reply ?? "");
	const text = last.request === undefined ? "" : requestLine(last, CUT_COLUMNS);
	return text === "" ? [] : [{ kind: "cut_short", text }];
}

function openIn(reply: string): OpenPoint[] {
	const { questions, requests, offers, unticked } = readReply(reply);
	const points = [
		...questions.map(pointOf("question")),
		...requests.map(pointOf("request")),
		// "Next, should I …?" is a question and no step.
		...nextSteps(reply)
			.filter((step) => !isQuestion(step))
			.map(pointOf("step")),
		...offers.map(pointOf("offer")),
		...unticked.map(pointOf("step")),
	];
	const open = new Map<string, OpenPoint>();
	for (const { kind, text } of points) {
		if (open.size === MOST) break;
		const line = cutAtClause(plainLine(text), COLUMNS);
		if (line !== "" && !open.has(line)) open.set(line, { kind, text: line });
	}
	return [...open.values()];
}

function pointOf(kind: NextKind): (text: string) => OpenPoint {
	return (text) => ({ kind, text });
}
