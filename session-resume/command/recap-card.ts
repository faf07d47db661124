import {
	commandForm,
	copyAnswer,
	explainNoteFailure,
	ownDialog,
	readChoice,
} from "../../session-core/pi/index.ts";
import {
	type Prepared,
	recapMarkdown,
	recapText,
	type SessionRecord,
} from "../../session-core/recap/index.ts";
import { fromText, toText } from "../record/edit.ts";
import { explainRefusal, type Kept, recordWhy } from "../record/keeper.ts";
import { type ResumeContext, sayAnswer, stateFor, workingText } from "../session.ts";

export const RECAP_CARD = commandForm({
	name: "recap-card",
	options: [
		{ value: "", description: "Save a recap of this session and show it as a card" },
		{ value: "show", description: "Show the card without saving a recap" },
		{ value: "edit", description: "Edit the recap; your text is never overwritten" },
		{ value: "copy", description: "Copy the card's text to the clipboard" },
		{ value: "copy --markdown", description: "Copy the card as Markdown" },
		{ value: "clear", description: "Hide the card" },
		{ value: "--force", description: "Generate the recap again and replace the existing one" },
		{ value: "--llm", description: "Let a model write the recap" },
		{ value: "--llm --force", description: "Let a model write the recap and replace the existing one" },
		{ value: "--why", description: "Show how the current recap was made, or why there is none" },
		{ value: "--help", description: "Show this help" },
	],
});

export async function runCard(args: string, context: ResumeContext): Promise<void> {
	const given = readChoice(RECAP_CARD, args);
	if (given.type !== "given") return sayAnswer(RECAP_CARD, given, context, "card");
	const { value } = given;
	const { screen, session } = context;
	if (value === "clear") return session.clear() ? undefined : screen.say("recap-card: no card is shown.");
	if (value === "--why") {
		const { minMessages } = context.settings().resume;
		return screen.say(`recap-card: ${recordWhy(session.state(), minMessages)}.`);
	}
	const prepared = stateFor(context, "recap-card");
	if (!prepared) return;
	switch (value) {
		case "show":
			return session.card.show(prepared);
		case "copy":
		case "copy --markdown":
			return copyCard(context, prepared, { markdown: value !== "copy" });
		case "edit":
			return edit(context, prepared);
		default:
			return write(context, prepared, { force: value.includes("--force"), llm: value.includes("--llm") });
	}
}

async function copyCard(
	{ screen, session, commons }: ResumeContext,
	{ shown, reading }: Prepared,
	{ markdown }: { markdown: boolean },
): Promise<void> {
	const words = commons.words(reading.language);
	const text = markdown ? recapMarkdown(shown, words) : recapText(shown, words);
	const answer = await copyAnswer(text, screen.isTerminal());
	if (session.isLive()) screen.say(`recap-card: ${answer.text}`, answer.kind);
}

/** Shows the current record immediately. If a model is asked for a note, the record with that note later replaces the current one. */
async function write(
	context: ResumeContext,
	prepared: Prepared,
	{ force, llm }: { force: boolean; llm: boolean },
): Promise<void> {
	const { screen, session, settings } = context;
	const wantsModel = llm || settings().resume.generator === "llm";
	const proposed = session.keeper.propose({ cause: "typed", force, wantsModel, isAgain: llm });
	session.card.show(prepared);
	if (!proposed.ok) {
		screen.say(explainRefusal(proposed), proposed.reason === "exists" ? "info" : "warning");
		return;
	}
	const { existing, recap } = proposed.prepared;
	const placing = { over: existing, cause: "typed" } as const;
	// This takes at most one second, git's timeout. The card later compares the repository with the state that the record stores.
	await session.knowCheckout();
	if (!session.isLive()) return;
	if (!wantsModel) {
		settle(context, session.keeper.put(recap, placing));
		return;
	}
	const rest = existing ? "The existing recap was kept." : "The recap was generated without a model.";
	// An offline record must not replace an existing record.
	const offline = () => {
		if (!existing) settle(context, session.keeper.put(recap, placing), "");
	};
	screen.asking("recap-card: asking the model …", () => {
		session.dropRequest();
		screen.answered();
		screen.say(`recap-card: the request was canceled. ${rest}`);
		offline();
	});
	session.askNote(proposed.prepared, "typed", (outcome) => {
		screen.answered();
		if (outcome.ok) {
			settle(context, session.keeper.put(outcome.recap, placing));
			return;
		}
		screen.say(`recap-card: ${explainNoteFailure(outcome, rest, "/recap-card --llm")}`, "warning");
		offline();
	});
}

const EDITOR_TITLE = "Recap of this session (state and checks come from the log)";

/** If the text cannot be stored, the editor opens again with it, so that nothing that the user typed is lost. */
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
		const obstacle = store(context, typed, shown);
		if (obstacle === undefined) return;
		title = `${obstacle} Your text is below; Esc discards it.`;
		text = typed;
	}
}

/** Stores the edited text of the record `opened` for the current state. Returns why it cannot be stored. */
function store(context: ResumeContext, text: string, opened: SessionRecord): string | undefined {
	const { ctx, session } = context;
	if (!ctx.isIdle()) return workingText("recap-card");
	const current = session.keeper.state();
	if (!current) return undefined;
	const edited = fromText(text, opened, current.shown);
	if (!edited.ok) return `recap-card: not saved, because ${edited.problem}.`;
	const kept = session.keeper.put(edited.recap, { over: current.existing, cause: "typed" });
	if (!kept.ok) return explainRefusal(kept);
	settle(context, kept);
	return undefined;
}

function settle({ screen, session }: ResumeContext, kept: Kept, text = "recap-card: recap saved."): void {
	if (!kept.ok) {
		screen.say(explainRefusal(kept), "warning");
		return;
	}
	if (text !== "") screen.say(text);
	const prepared = session.keeper.state();
	if (prepared) session.card.show(prepared);
}
