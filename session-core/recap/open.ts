/**
 * Finds open items: the closing questions, requests and offers, the next steps and the unticked checkboxes of the last reply, and, after an
 * abort or an error, the interrupted request. The user's next message settles them, whatever follows it.
 */

import { headUnits } from "../text/clip.ts";
import { countWords } from "../text/count.ts";
import { cutAtClause, plainLine } from "../text/fit-line.ts";
import { type Block, readBlocks } from "../text/markdown.ts";
import { isQuestion, readReply } from "../text/reply.ts";
import { safeText } from "../text/safe.ts";
import { cleanLine } from "../text/sanitize.ts";
import { sentencesOf } from "../text/sentences.ts";
import { capitalized } from "../timeline/command-text.ts";
import { lastTurn } from "../timeline/turn.ts";
import type { Timeline } from "../timeline/types.ts";
import { MAX_RECORD_TEXT, type NextKind } from "./record.ts";

const MOST = 3;
/** Maximum width of a stored item in columns. Nearly all items fit; surfaces cut what they show. */
const COLUMNS = 320;

/** What is open, and of which kind it is. */
export interface OpenPoint {
	kind: NextKind;
	text: string;
}

export function openActions(timeline: Timeline): OpenPoint[] {
	const last = lastTurn(timeline.turns);
	if (!last) return [];
	if (timeline.outcome === "done" || timeline.outcome === "waiting") return openIn(last.reply ?? "");
	// The request goes back into the editor, so it stays as the user wrote it.
	const text = headUnits(cleanLine(safeText(last.request ?? "")), MAX_RECORD_TEXT);
	return text === "" ? [] : [{ kind: "cut_short", text }];
}

/** Returns the user's request with which an open item begins, whole and with its line breaks; undefined if it is none. */
export function wholeRequest({ turns }: Timeline, { kind, text }: OpenPoint): string | undefined {
	const request = lastTurn(turns)?.request ?? "";
	const isSame = cleanLine(safeText(request)).startsWith(text.replace(/…$/, ""));
	return kind === "cut_short" && isSame ? request : undefined;
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

/**
 * The labels in the suite's nine languages. A label may be followed by words such as a count, "for you" or "from the plan", and then by a
 * colon or a list.
 */
const LABELS = [
	"next(?: up| steps?| actions?| tasks?)?|(?:(?:the|a|my|your|suggested|recommended|immediate|possible|logical|obvious|only) )+next (?:steps?|actions?|tasks?|thing)",
	"(?:what(?:'|’)?s (?:next|left|missing|still open|remaining)|what (?:remains|is left|is next))",
	"remaining(?: work| steps?| tasks?| items?| todos?| issues?)?|still (?:open|to do|todo|missing|left|pending|needed|needs)|left to do|not (?:yet )?done(?: yet)?|to[- ]?dos?|to be done|outstanding|pending|open (?:items?|points?|tasks?)|follow[- ]?ups?",
	"下一步(?:工作|计划|行动|任务)?|接下来|后续(?:步骤|工作|任务)?|待办(?:事项)?|剩余(?:工作|任务|步骤)?|还需要?|未完成(?:的工作|事项)?|下一步建议",
	"次(?:の|に行う)?(?:ステップ|作業|タスク|手順|アクション)|次は|次に|残(?:り|っている)?(?:の)?(?:作業|タスク|課題)?|今後の(?:作業|課題|予定|ステップ)|未完了(?:の作業)?|やること",
	"다음(?: (?:단계|작업|할 일|스텝|순서))?|남은 (?:작업|일|것|단계|항목|과제)|할 일|후속 (?:작업|조치)|미완료(?: 작업)?",
	"nächster?[ns]? schritte?|(?:die )?nächsten schritte|als nächstes|noch (?:offen|zu tun|ausstehend)|offene? (?:punkte|aufgaben)|offen|ausstehend|verbleibend(?:e (?:arbeit|aufgaben|schritte))?|es fehlt noch",
	"prochaines? (?:étapes?|actions?)|étapes? suivantes?|(?:il )?reste(?: à faire)?|à faire|ensuite|suite",
	"(?:siguientes?|próximos?) pasos?|a continuación|pendientes?|queda(?:n)?(?: por hacer)?|falta(?:n)?|por hacer",
	"próximos? passos?|a seguir|pendentes?|(?:ainda )?faltam?|restam?|por fazer",
	"следующи[йе] шаги?|далее|дальше|осталось(?: сделать)?|остаётся|остается|предстоит|что дальше|не сделано",
].join("|");

/** Matches a line that consists of a label: a heading, or the line before a list. */
const LABEL_LINE = new RegExp(
	`^(?:[^\\p{L}\\p{N}]*)(?:${LABELS})(?:\\s[^:：.!?]{0,60})?\\s*(?:\\([^)]{0,60}\\))?[:：]?$`,
	"iu",
);
/** Matches a label and a colon that are followed by text. */
const LABELLED = new RegExp(
	`^(?:[^\\p{L}\\p{N}]*)(?:${LABELS})(?:\\s[^:：.!?]{0,40})?\\s*[:：]\\s*(?=\\S)`,
	"iu",
);
/** Matches labeled text that says that nothing is left to do or that the work is done. */
const NOTHING =
	/^(?:none|nothing|no(?:ne)? (?:further|more|remaining)|n\/a|all done|done|无|没有|なし|特になし|없음|없습니다|keine?|nichts|aucune?|rien|ninguno|nada|nenhum|нет|ничего)\b[\s.!]*/iu;
const TICKED = /^(?:\[[xX]\]|[✓✔✅☑])/u;

/** Returns the complete text of each next step in a reply, without its label. */
export function nextSteps(reply: string): string[] {
	const blocks = readBlocks(reply).filter(({ kind }) => kind !== "code");
	const steps = blocks.flatMap((block, index) => {
		if (isLabel(block)) return listBehind(blocks, index);
		const sentences = block.kind === "text" ? sentencesOf(block.text) : [block.text];
		return sentences.flatMap((sentence) => {
			const label = LABELLED.exec(sentence)?.[0];
			return label === undefined ? [] : [sentence.slice(label.length)];
		});
	});
	return [...new Set(steps.map((step) => capitalized(step.trim())))].filter(isStep);
}

function isLabel({ kind, text }: Block): boolean {
	if (!LABEL_LINE.test(text)) return false;
	return kind === "heading" || /[:：]$/.test(text);
}

/** Returns the list items below a label, or the paragraph below a heading. */
function listBehind(blocks: readonly Block[], at: number): string[] {
	const label = blocks[at];
	// "Next steps" may be a heading above "The remaining tasks are:".
	const isLead = blocks[at + 1]?.kind === "text" && /[:：]$/.test(blocks[at + 1]?.text ?? "");
	const behind = blocks.slice(isLead ? at + 2 : at + 1);
	const end = behind.findIndex(
		({ kind, depth }) => kind !== "item" || (label?.kind === "item" && depth <= label.depth),
	);
	const items = (end < 0 ? behind : behind.slice(0, end)).filter(
		({ depth }) => depth === (behind[0]?.depth ?? 0),
	);
	if (items.length > 0) return items.map(({ text }) => text);
	const [first] = behind;
	return label?.kind === "heading" && first?.kind === "text" ? sentencesOf(first.text).slice(0, 1) : [];
}

function isStep(text: string): boolean {
	return countWords(text) >= 2 && !NOTHING.test(text) && !TICKED.test(text);
}
