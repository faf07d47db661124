import {
	actionLine,
	endingText,
	leadLines,
	longAge,
	openPoints,
	ownBullets,
	recapText,
	type SessionRecord,
	sentencesOfNote,
	type WordsFor,
} from "../../session-core/recap/index.ts";
import {
	addRecord,
	type Description,
	describeSession,
	describeState,
	OUTCOME_COLORS,
	resumePriceText,
	type SessionView,
	sessionJson,
} from "../../session-core/sessions/index.ts";
import { readCheckout } from "../../session-core/text/files/index.ts";
import { cleanLine, clipColumns, codeSpan, inert, redact } from "../../session-core/text/index.ts";
import { findSession, isDamaged } from "../sessions/find.ts";
import { RECAP_PROBLEMS } from "../sessions/recap-problems.ts";
import {
	columnsOf,
	DONE,
	NOT_FOUND,
	paintFor,
	paintState,
	printJson,
	type World,
	wordsFor,
	wrapped,
} from "../shell/world.ts";

interface ShowOptions {
	json?: boolean;
	markdown?: boolean;
}

export async function show({ json, markdown }: ShowOptions, world: World, wanted: string): Promise<number> {
	const found = await findSession(wanted, world);
	if (!found.ok) return world.fail(found.problem, NOT_FOUND);
	const { row, lease, view: session } = found;
	const card = await describeSession(row, { ...world, words: await wordsFor(world) }, lease?.state);
	if (!card.ok)
		return world.fail(`the session cannot be read (${clipColumns(cleanLine(card.detail), 200)}).`);
	if (await isDamaged(row, lease))
		world.say(
			`this session's file is damaged. pi-sessions resume ${row.id} --repair opens a copy of what can be read.`,
		);
	if (row.newerFile) world.say(`the newest state of this session is in ${row.newerFile}`);
	if (json) {
		const { record: recap = null, stored } = card;
		const sentences = (recap && sentencesOfNote(recap)) ?? null;
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

function cardLines(view: CardView, { out, env }: Pick<World, "out" | "env">): string[] {
	const paint = paintFor(out, env);
	const fold = (text: string, indent = "") => wrapped(text, columnsOf(out), indent);
	const color = OUTCOME_COLORS[view.session.ending?.outcome ?? "done"];
	const items = itemsOf(view).flatMap(({ kind, text }) => {
		if (kind === "bullet") return fold(`- ${text}`, "  ");
		if (kind === "state") return fold(text).map((line) => paintState(color, line, paint));
		return kind === "artifact" ? fold(text).map(paint.dim) : fold(text);
	});
	const head = [...fold(view.session.title).map(paint.bold), ...fold(factsOf(view)).map(paint.dim)];
	return items.length === 0 ? head : [...head, "", ...items];
}

/** Returns a session's card in Markdown. All text from the session is escaped, because a title, for example, may contain markup. */
function cardMarkdown(view: CardView): string[] {
	const items = itemsOf(view).map(
		({ kind, text }) => `- ${kind === "artifact" ? codeSpan(text) : inert(text)}`,
	);
	return [`## ${inert(view.session.title)}`, "", `*${inert(factsOf(view))}*`, "", ...items];
}

function factsOf({ session, card, now }: CardView): string {
	const { state, since, modified, project, model, id, format, newerFile } = session;
	const live = state === "closed" ? undefined : describeState({ state, since: since ?? now }, now);
	const price = live === undefined ? resumePriceText(card, now, {}, "/resume-here --fresh") : "";
	const age = longAge(modified, now, card.words.language);
	const part = newerFile && "older part of the session";
	const facts = [format.mark, part, live, age, price, project || "?", model, id];
	return redact(facts.filter(Boolean).join(" · "));
}

interface CardItem {
	kind: "text" | "state" | "bullet" | "artifact";
	text: string;
}

/** Returns the recap's items, except those that the title already contains. */
function itemsOf({ session: { title, ending }, card: { record, words } }: CardView): CardItem[] {
	if (!record) return [];
	const items: CardItem[] = [
		...leadLines(record, title).map((text): CardItem => ({ kind: "text", text })),
		{ kind: "state", text: ending ? endingText(ending, words) : "" },
		...ownBullets(record, words).map((text): CardItem => ({ kind: "bullet", text })),
		...openPoints(record).map((point): CardItem => ({ kind: "text", text: actionLine(point, words) })),
		...record.artifacts.map(({ locator }): CardItem => ({ kind: "artifact", text: locator })),
	];
	return items.filter(({ text }) => text !== "");
}

interface RecapOptions {
	force?: boolean;
	json?: boolean;
}

export async function makeRecap(
	{ force, json }: RecapOptions,
	world: World,
	wanted: string,
): Promise<number> {
	const found = await findSession(wanted, world);
	if (!found.ok) return world.fail(found.problem, NOT_FOUND);
	const forLanguage = await wordsFor(world);
	let words = forLanguage(undefined);
	const print = (record: SessionRecord) => {
		if (json) printJson(record, world.out);
		else world.out.write(`${recapText(record, words)}\n`);
		return DONE;
	};
	const chosen: WordsFor = (own) => (words = forLanguage(own));
	const added = await addRecord(found.row, { force }, { ...world, checkout: readCheckout, words: chosen });
	if (added.ok) return print(added.recap);
	const { reason, existing } = added;
	const [, message, remedy] = RECAP_PROBLEMS[reason];
	if (reason !== "exists" && reason !== "edited") return world.fail(`${message} ${remedy}`);
	if (existing) print(existing);
	return world.fail(`${message} Use --force to write another one.`, DONE);
}
