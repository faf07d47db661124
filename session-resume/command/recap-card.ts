import {
	type CommandOption,
	findOption,
	helpText,
	keyHelp,
	unknownText,
} from "../../session-core/command/index.ts";
import { copyAnswer, ownDialog } from "../../session-core/host/index.ts";
import { recapMarkdown, recapText } from "../../session-core/recap/index.ts";
import { explainAskFailure } from "../record/ask.ts";
import { fromText, toText } from "../record/edit.ts";
import { explainRefusal, type Kept, type Prepared } from "../record/keeper.ts";
import { type ResumeContext, stateFor, workingText } from "../session.ts";
import { recordWhy } from "./doctor.ts";

/** The action of `/recap-card …`. */
type CardAction =
	| { type: "write"; force: boolean; llm: boolean }
	| { type: "show" | "edit" | "clear" | "why" | "help" }
	| { type: "copy"; markdown: boolean }
	/** The earlier spelling of `/today`. */
	| { type: "today" }
	| { type: "unknown"; word: string };

const WRITE = { type: "write", force: false, llm: false } as const;

export const CARD_OPTIONS: readonly (CommandOption & { action: CardAction })[] = [
	{ value: "", description: "Save a recap of this session and show it as a card", action: WRITE },
	{ value: "show", description: "Show the card without saving a recap", action: { type: "show" } },
	{
		value: "edit",
		description: "Edit the recap; your text is never overwritten",
		action: { type: "edit" },
	},
	{
		value: "copy",
		description: "Copy the card's text to the clipboard",
		action: { type: "copy", markdown: false },
	},
	{
		value: "copy --markdown",
		description: "Copy the card as Markdown",
		action: { type: "copy", markdown: true },
	},
	{ value: "clear", description: "Hide the card", action: { type: "clear" } },
	{
		value: "--force",
		description: "Generate the recap again and replace the existing one",
		action: { ...WRITE, force: true },
	},
	{ value: "--llm", description: "Let a model write the recap", action: { ...WRITE, llm: true } },
	{
		value: "--llm --force",
		description: "Let a model write the recap and replace the existing one",
		action: { ...WRITE, llm: true, force: true },
	},
	{
		value: "--why",
		description: "Show how the current recap was made, or why there is none",
		action: { type: "why" },
	},
	{ value: "--help", description: "Show this help", action: { type: "help" } },
];

/** Parses the arguments of `/recap-card`. */
export function parseCard(args: string): CardAction {
	if (/^\s*today(?:\s|$)/i.test(args)) return { type: "today" };
	return findOption(CARD_OPTIONS, args)?.action ?? { type: "unknown", word: args.trim() };
}

/** `/recap-card …` */
export async function runCard(args: string, context: ResumeContext): Promise<void> {
	const { screen, session } = context;
	const action = parseCard(args);
	switch (action.type) {
		case "clear":
			if (!session.clear()) screen.say("recap-card: no card is shown.");
			return;
		case "why": {
			const { minMessages } = context.settings().resume;
			screen.say(`recap-card: ${recordWhy(session.state(), minMessages)}.`);
			return;
		}
		case "help":
			screen.say(helpText("recap-card", CARD_OPTIONS, keyHelp("card", context.commons.shortcuts.keys)));
			return;
		case "unknown":
			screen.say(unknownText("recap-card", action.word), "warning");
			return;
		case "today":
			screen.say("recap-card: type /today to see what the sessions have done today.");
			return;
	}
	const prepared = stateFor(context, "recap-card");
	if (!prepared) return;
	switch (action.type) {
		case "show":
			return session.showCard(prepared);
		case "copy":
			return copyCard(context, prepared, action);
		case "edit":
			return edit(context, prepared);
		case "write":
			return write(context, prepared, action);
	}
}

async function copyCard(
	{ screen, session }: ResumeContext,
	{ shown, reading }: Prepared,
	{ markdown }: { markdown: boolean },
): Promise<void> {
	const words = session.words(reading.language);
	const text = markdown ? recapMarkdown(shown, words) : recapText(shown, words);
	const answer = await copyAnswer(text, screen.isTerminal());
	if (session.isLive()) screen.say(`recap-card: ${answer.text}`, answer.kind);
}

/** Shows the offline record immediately. If a model is asked to write a record, the model's record replaces the offline one. */
async function write(
	context: ResumeContext,
	prepared: Prepared,
	{ force, llm }: { force: boolean; llm: boolean },
): Promise<void> {
	const { screen, session, settings, recordRequest } = context;
	const wantsModel = llm || settings().resume.generator === "llm";
	const proposed = session.keeper.propose({ cause: "typed", force, wantsModel });
	session.showCard(prepared);
	if (!proposed.ok) {
		screen.say(explainRefusal(proposed), proposed.reason === "exists" ? "info" : "warning");
		return;
	}
	const { existing, recap } = proposed.prepared;
	const placing = { over: existing, cause: "typed" } as const;
	// This waits at most one second, which is git's timeout. The record stores the state of the repository, so that the card can later
	// compare the repository with it.
	await session.knowCheckout();
	if (!session.isLive()) return;
	if (!wantsModel) {
		settle(context, session.keeper.put(recap, placing));
		return;
	}
	const hasRecord = existing !== undefined;
	// The offline record must not replace an existing one.
	const offline = () => {
		if (!hasRecord) settle(context, session.keeper.put(recap, placing), "");
	};
	screen.asking("recap-card: asking the model …", "esc to cancel", () => {
		recordRequest.drop();
		screen.answered();
		screen.say(explainAskFailure("cancelled", { hasRecord }));
		offline();
	});
	recordRequest.start(proposed.prepared, "typed", (outcome) => {
		screen.answered();
		if (outcome.ok) {
			settle(context, session.keeper.put(outcome.recap, placing));
			return;
		}
		screen.say(explainAskFailure(outcome, { hasRecord }), "warning");
		offline();
	});
}

const EDITOR_TITLE = "Recap of this session (state and checks come from the log)";

/**
 * Opens the editor. If the edited text cannot be stored, the editor opens again with that text, so that nothing that the user typed is
 * lost.
 */
async function edit(context: ResumeContext, { shown }: Prepared): Promise<void> {
	const { ctx, screen, session } = context;
	const before = toText(shown);
	let title = EDITOR_TITLE;
	let text = before;
	for (;;) {
		const typed = await ownDialog(() => ctx.ui.editor(title, text));
		if (!session.isLive()) return;
		if (typed === undefined || typed.trim() === before.trim()) {
			screen.say("recap-card: nothing changed.");
			return;
		}
		const obstacle = store(context, typed);
		if (obstacle === undefined) return;
		title = `${obstacle} Your text is below; Esc discards it.`;
		text = typed;
	}
}

/** Stores the edited text for the current state. Returns why it cannot be stored. */
function store(context: ResumeContext, text: string): string | undefined {
	const { ctx, session } = context;
	if (!ctx.isIdle()) return workingText("recap-card");
	const current = session.keeper.state();
	const recap = current && fromText(text, current.shown);
	if (!recap) return "recap-card: not saved, because the recap has no headline.";
	const kept = session.keeper.put(recap, { over: current.existing, cause: "typed" });
	if (!kept.ok) return explainRefusal(kept);
	settle(context, kept);
	return undefined;
}

/** Reports whether the record was written; if it was, also shows the record. */
function settle({ screen, session }: ResumeContext, kept: Kept, text = "recap-card: recap saved."): void {
	if (!kept.ok) {
		screen.say(explainRefusal(kept), "warning");
		return;
	}
	if (text !== "") screen.say(text);
	const prepared = session.keeper.state();
	if (prepared) session.showCard(prepared);
}
