import { agentMark } from "../../session-core/agents/agents.ts";
import { actionLine, endingText, openPoints, ownBullets, recapItems } from "../../session-core/recap/text.ts";
import { resumePriceText } from "../../session-core/resume-plan/price.ts";
import { checkSession } from "../../session-core/session-file/check-session.ts";
import {
	type Description,
	describeSession,
	type SessionView,
} from "../../session-core/session-view/index.ts";
import { sessionJson } from "../../session-core/session-view/json.ts";
import { cleanLine, clipColumns } from "../../session-core/text/index.ts";
import { inert } from "../../session-core/text/markdown.ts";
import { redact } from "../../session-core/text/redact.ts";
import { describeState, longAge, OUTCOME_COLORS } from "../../session-core/words/index.ts";
import { findSession } from "../sessions/find.ts";
import type { SHOW, Values } from "../shell/options.ts";
import { columnsOf, paintFor, paintState, wrapped } from "../shell/terminal.ts";
import { DONE, NOT_FOUND, printJson, type World, wordsFor } from "../shell/world.ts";

/** Maximum size in bytes of a file that is read completely to find damage. */
const MOST_CHECKED = 64 * 1024 * 1024;

/** `pi-sessions show` */
export async function show(
	wanted: string,
	{ json, markdown }: Values<typeof SHOW>,
	world: World,
): Promise<number> {
	if (json && markdown) return world.fail("use either --json or --markdown, not both.", NOT_FOUND);
	const found = await findSession(wanted, world);
	if (!found.ok) return world.fail(found.problem, NOT_FOUND);
	const { row, lease, view: session } = found;
	const card = await describeSession(
		row,
		{ ...world, words: await wordsFor(world) },
		{ isWorking: lease?.state === "working" },
	);
	if (!card.ok)
		return world.fail(`the session cannot be read (${clipColumns(cleanLine(card.detail), 200)}).`);
	const isChecked = !row.agent && !lease && row.size <= MOST_CHECKED;
	const check = isChecked ? await checkSession(row.path) : undefined;
	if (check?.ok && !check.sound)
		world.say(
			`the file of this session is damaged. pi-sessions resume ${row.id} --repair opens a copy of what can be read.`,
		);
	if (json) {
		const { record: recap = null, stored, sentences = null } = card;
		printJson({ session: sessionJson(session), recap, stored, sentences }, world.out);
	} else {
		const view = { session, card, now: world.now() };
		const lines = markdown ? cardMarkdown(view) : cardLines(view, world);
		world.out.write(`${lines.join("\n")}\n`);
	}
	return DONE;
}

interface CardView {
	session: SessionView;
	card: Description;
	now: number;
}

/** Returns the lines of a session's card for a terminal or a pipe. */
function cardLines(view: CardView, { out, env }: Pick<World, "out" | "env">): string[] {
	const paint = paintFor(out, env);
	const columns = columnsOf(out);
	const fold = (text: string, indent = "") => wrapped(text, columns, indent);
	const { title, facts, recap } = partsOf(view);
	const color = OUTCOME_COLORS[view.session.ending?.outcome ?? "done"];
	const lines = [...fold(title).map(paint.bold), ...fold(facts).map(paint.dim)];
	if (!recap) return lines;
	const { headline, state, bullets, open, artifacts } = recap;
	return [
		...lines,
		"",
		...(headline === "" || headline === title ? [] : fold(headline)),
		...(state === "" ? [] : fold(state).map((line) => paintState(color, line, paint))),
		...bullets.flatMap((bullet) => fold(`- ${bullet}`, "  ")),
		...open.flatMap((line) => fold(line)),
		...artifacts.flatMap((line) => fold(line).map(paint.dim)),
	];
}

/**
 * Returns the lines of a session's card in Markdown. All text of the session is escaped, because a title, for example, may contain markup.
 */
function cardMarkdown(view: CardView): string[] {
	const { title, facts, recap } = partsOf(view);
	const { record, words } = view.card;
	const lines = [`## ${inert(title)}`, "", `*${inert(facts)}*`];
	if (!recap || !record) return lines;
	const { headline, state, bullets } = recap;
	return [
		...lines,
		"",
		...(headline === "" || headline === title ? [] : [`- ${inert(headline)}`]),
		...(state === "" ? [] : [`- ${inert(state)}`]),
		...recapItems({ ...record, bullets }, words),
	];
}

function partsOf({ session, card, now }: CardView) {
	const { record, sentences, words } = card;
	const { state, since, modified, project, model, id, ending, title } = session;
	const live = state === "closed" ? undefined : describeState({ state, since: since ?? now }, now);
	const mark = agentMark(session.agent);
	const price = live === undefined ? resumePriceText(card, now) : "";
	const facts = [mark, live, longAge(modified, now, words.language), price, project || "?", model, id];
	return {
		title,
		facts: redact(facts.filter(Boolean).join(" · ")),
		recap: record && {
			headline: sentences ?? record.headline,
			state: ending ? endingText(ending, words) : "",
			bullets: sentences === undefined ? ownBullets(record, words) : [],
			open: openPoints(record).map((point) => actionLine(point, words)),
			artifacts: record.artifacts.map(({ locator }) => locator),
		},
	};
}
