import { homedir } from "node:os";
import { titleOf } from "../../session-core/find/match.ts";
import { recapItems } from "../../session-core/recap/markdown.ts";
import { actionLine, openPoints, stateLine } from "../../session-core/recap/text.ts";
import type { Lease } from "../../session-core/store/lease.ts";
import type { SessionSummary } from "../../session-core/store/summary.ts";
import { inert } from "../../session-core/text/inert-markdown.ts";
import { redact } from "../../session-core/text/redact.ts";
import { cleanLine } from "../../session-core/text/sanitize.ts";
import { projectName } from "../../session-core/today/parts.ts";
import { longAge, shortAge } from "../../session-core/words/age.ts";
import { columnsOf, paintFor } from "../shell/paint.ts";
import type { World } from "../shell/world.ts";
import { wrapped } from "../shell/wrap.ts";
import type { Card } from "./read.ts";

export interface CardView {
	row: SessionSummary;
	lease: Lease | undefined;
	card: Card;
	now: number;
}

/** For a terminal, or for whoever reads a pipe. */
export function cardLines(view: CardView, { out, env }: Pick<World, "out" | "env">): string[] {
	const paint = paintFor(out, env);
	const columns = columnsOf(out);
	const fold = (text: string, indent = "") => wrapped(text, columns, indent);
	const { title, facts, recap } = partsOf(view);
	const lines = [...fold(title).map(paint.bold), ...fold(facts).map(paint.dim)];
	if (!recap) return lines;
	const { headline, state, bullets, open, artifacts } = recap;
	return [
		...lines,
		"",
		...(headline === title ? [] : fold(headline)),
		...(state === "" ? [] : fold(state).map(paint.yellow)),
		...bullets.flatMap((bullet) => fold(`- ${bullet}`, "  ")),
		...open.flatMap((line) => fold(line)),
		...artifacts.flatMap((line) => fold(line).map(paint.dim)),
	];
}

/** Nothing that a session says is markup: a title may hold any of it. */
export function cardMarkdown(view: CardView): string[] {
	const { title, facts } = partsOf(view);
	const { recap, words } = view.card;
	const lines = [`## ${inert(title)}`, "", `*${inert(facts)}*`];
	if (!recap) return lines;
	const state = stateLine(recap, words);
	return [
		...lines,
		"",
		...(recap.headline === title ? [] : [`- ${inert(recap.headline)}`]),
		...(state === "" ? [] : [`- ${inert(state)}`]),
		...recapItems(recap, words),
	];
}

function partsOf({ row, lease, card: { recap, words }, now }: CardView) {
	const live = lease && words.live.since(words.live[lease.state], shortAge(lease.since, now, words.age));
	const facts = [
		live,
		longAge(row.modified, now, words.age),
		projectName(cleanLine(row.cwd), homedir()),
		row.model && `${row.model.provider}/${row.model.id}`,
		row.id,
	];
	return {
		title: cleanLine(titleOf(row)) || words.board.noMessages,
		facts: redact(facts.filter(Boolean).join(" · ")),
		recap: recap && {
			headline: recap.headline,
			state: stateLine(recap, words),
			bullets: recap.bullets,
			open: openPoints(recap).map((point) => actionLine(point, words)),
			artifacts: recap.artifacts.map(({ locator }) => locator),
		},
	};
}
