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
	modelText,
	OUTCOME_COLORS,
	resumePriceText,
	type SessionView,
	sessionJson,
} from "../../session-core/sessions/index.ts";
import { codeSpan, inert, redact } from "../../session-core/text/index.ts";
import { findSession, isDamaged, paintState, RECAP_PROBLEMS, unreadableText } from "../sessions/index.ts";
import { DONE, NOT_FOUND, type World, wordsFor } from "../shell/world.ts";

type ShowOptions = { json?: boolean; markdown?: boolean };

export async function show({ json, markdown }: ShowOptions, world: World, wanted: string): Promise<number> {
	const view = await findSession(wanted, world);
	if (!view) return NOT_FOUND;
	const card = await describeSession(view, { ...world, words: await wordsFor(world) }, view.lease?.state);
	if (!card.ok) return world.fail(unreadableText(card.detail));
	if (await isDamaged(view))
		world.say(
			`This session's file is damaged. Run pi-sessions resume ${view.id} --repair to open a repaired copy.`,
		);
	const { newerFile: newest } = view;
	if (newest) world.say(`This file contains an older part of the session. The newest part is in ${newest}.`);
	if (json) {
		const { record: recap = null, stored } = card;
		const sentences = (recap && sentencesOfNote(recap)) ?? null;
		world.printJson({ session: sessionJson(view), recap, stored, sentences });
	} else world.print(...(markdown ? cardMarkdown(view, card, world) : cardLines(view, card, world)));
	return DONE;
}

function cardLines(view: SessionView, card: Description, world: World): string[] {
	const { paint, fold } = world;
	const color = OUTCOME_COLORS[view.ending?.outcome ?? "done"];
	const items = itemsOf(view, card).flatMap(({ kind, text }) => {
		if (kind === "bullet") return fold(`- ${text}`, "  ");
		if (kind === "state") return fold(text).map((line) => paintState(color, line, paint));
		return kind === "artifact" ? fold(text).map(paint.dim) : fold(text);
	});
	const head = [...fold(view.title).map(paint.bold), ...fold(factsOf(view, card, world)).map(paint.dim)];
	return items.length === 0 ? head : [...head, "", ...items];
}

/** Text from the session is escaped, because titles and messages may contain Markdown. */
function cardMarkdown(view: SessionView, card: Description, world: World): string[] {
	const items = itemsOf(view, card).map(
		({ kind, text }) => `- ${kind === "artifact" ? codeSpan(text) : inert(text)}`,
	);
	return [`## ${inert(view.title)}`, "", `*${inert(factsOf(view, card, world))}*`, "", ...items];
}

function factsOf(view: SessionView, card: Description, world: World): string {
	const { lease, modified, project, id, format, newerFile } = view;
	const now = world.now();
	const live = lease && describeState(lease, now);
	const price = live === undefined ? resumePriceText(card, now, {}, "/resume-here --fresh") : "";
	const age = longAge(modified, now, card.words.language);
	const part = newerFile && "older part of the session";
	const facts = [format.mark, part, live, age, price, project || "?", modelText(view), id];
	return redact(facts.filter(Boolean).join(" · "));
}

type CardItem = { kind: "text" | "state" | "bullet" | "artifact"; text: string };

function itemsOf({ title, ending }: SessionView, { record, words }: Description): CardItem[] {
	if (!record) return [];
	const as = (kind: CardItem["kind"], texts: readonly string[]) => texts.map((text) => ({ kind, text }));
	return [
		...as("text", leadLines(record, title)),
		...as("state", [ending ? endingText(ending, words) : ""]),
		...as("bullet", ownBullets(record, words)),
		...as(
			"text",
			openPoints(record).map((point) => actionLine(point, words)),
		),
		...as(
			"artifact",
			record.artifacts.map(({ locator }) => locator),
		),
	].filter(({ text }) => text !== "");
}

const FORCE = "Use --force to write a new recap.";

type RecapOptions = { force?: boolean; json?: boolean };

export async function makeRecap(options: RecapOptions, world: World, wanted: string): Promise<number> {
	const { force, json } = options;
	const found = await findSession(wanted, world);
	if (!found) return NOT_FOUND;
	const forLanguage = await wordsFor(world);
	let words = forLanguage(undefined);
	const print = (record: SessionRecord) =>
		json ? world.printJson(record) : world.print(recapText(record, words));
	const chosen: WordsFor = (own) => (words = forLanguage(own));
	const added = await addRecord(found, { force }, { ...world, words: chosen });
	if (added.ok) {
		print(added.recap);
		return DONE;
	}
	const [, message, remedy] = RECAP_PROBLEMS[added.reason];
	if (added.reason !== "exists" && added.reason !== "edited") return world.fail(`${message} ${remedy}`);
	if (added.existing) print(added.existing);
	return world.fail(`${message} ${FORCE}`, DONE);
}
