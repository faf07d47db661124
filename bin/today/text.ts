import { actionLine, openPoints } from "../../session-core/recap/text.ts";
import { cleanLine } from "../../session-core/text/sanitize.ts";
import type { DayView } from "../../session-core/today/markdown.ts";
import { type DayParts, partsOf, projectName } from "../../session-core/today/parts.ts";
import type { Words } from "../../session-core/words/words.ts";
import { columnsOf, type Paint, paintFor } from "../shell/paint.ts";
import type { World } from "../shell/world.ts";
import { wrapped } from "../shell/wrap.ts";

type Shown = Required<Pick<DayView, "sessions" | "more" | "now" | "byProject" | "home" | "words">> & {
	since: number;
};

/** The list of a day for a terminal, or for whoever reads a pipe: a paragraph a session. */
export function dayLines(view: Shown, { out, env }: Pick<World, "out" | "env">): string[] {
	const paint = paintFor(out, env);
	const columns = columnsOf(out);
	const paragraphs = view.sessions.map((session) => {
		const parts = partsOf(session, view);
		const project = view.byProject ? cleanLine(projectName(session.cwd, view.home)) : "";
		return sectionLines(parts, { project, columns, paint, words: view.words });
	});
	const more = view.more > 0 ? [[`(+ ${view.more})`]] : [];
	return [...paragraphs, ...more].flatMap((lines, index) => (index === 0 ? lines : ["", ...lines]));
}

function sectionLines(
	{ title, facts, headline, recap }: DayParts,
	{
		project,
		columns,
		paint,
		words,
	}: { project: string; columns: number | undefined; paint: Paint; words: Words },
): string[] {
	const open = recap ? openPoints(recap).map((point) => actionLine(point, words)) : [];
	const items = [...(headline === undefined ? [] : [headline]), ...(recap?.bullets ?? []), ...open];
	return [
		...wrapped(cleanLine(title), columns).map(paint.bold),
		...wrapped([project, ...facts].filter(Boolean).join(" · "), columns).map(paint.dim),
		...items.flatMap((item) => wrapped(`- ${cleanLine(item)}`, columns, "  ")),
	];
}
