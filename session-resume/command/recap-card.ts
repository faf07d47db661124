import {
	commandForm,
	explainNoteFailure,
	helpText,
	type Kept,
	keyHelp,
	ownDialog,
	readChoice,
	workingText,
} from "../../session-core/pi/index.ts";
import {
	type Prepared,
	recapMarkdown,
	recapText,
	type SessionRecord,
} from "../../session-core/recap/index.ts";
import { explainRefusal } from "../refusals.ts";
import type { InSession, ResumeSession } from "../session.ts";
import { fromText, toText } from "./edit.ts";

export const RECAP_CARD = commandForm({
	name: "recap-card",
	options: [
		["", "Save a recap of this session and show it as a card"],
		["show", "Show the card without saving a recap"],
		["edit", "Edit the recap; only --force overwrites your text"],
		["copy", "Copy the card's text to the clipboard"],
		["copy --markdown", "Copy the card as Markdown"],
		["clear", "Hide the card"],
		["--force", "Generate the recap again and replace the existing recap"],
		["--llm", "Have a model write the recap"],
		["--llm --force", "Have a model write a new recap and replace the existing recap"],
		["--why", "Show how the current recap was generated, or why there is no recap"],
	],
});

export async function runCard(args: string, { session, ctx }: InSession): Promise<void> {
	const given = readChoice(RECAP_CARD, args);
	if (given.type !== "given") return session.say(...helpText(RECAP_CARD, given, keyHelp("card")));
	const { value } = given;
	if (value === "clear") return session.clear() ? undefined : session.say("recap-card: no card is shown.");
	if (value === "--why") return session.say(`recap-card: ${session.recordWhy()}.`);
	const state = session.stateFor("recap-card");
	if (!state) return;
	const words = session.words(state.reading.language);
	switch (value) {
		case "show":
			return session.card.show(state);
		case "copy":
			return session.copy("recap-card", recapText(state.shown, words));
		case "copy --markdown":
			return session.copy("recap-card", recapMarkdown(state.shown, words));
		case "edit":
			return edit({ session, ctx }, state);
		default:
			return write(session, state, { force: value.includes("--force"), llm: value.includes("--llm") });
	}
}

async function write(
	session: ResumeSession,
	state: Prepared,
	{ force, llm }: { force: boolean; llm: boolean },
): Promise<void> {
	const wantsModel = llm || session.settings().generator === "llm";
	session.card.show(state);
	const unforced = llm ? "unedited" : wantsModel && "offline";
	const proposed = await session.propose(force ? "all" : unforced);
	if (session.over.aborted) return;
	if (!proposed.ok) return session.sayNotSaved(proposed, proposed.reason === "exists" ? "info" : "warning");
	const { prepared } = proposed;
	const { offline } = prepared;
	const { existing } = prepared.reading;
	if (!wantsModel) return settle(session, session.save(offline, existing));
	const rest = existing ? "The existing recap was kept." : "The recap was generated without a model.";
	// A record that was written without a model must not replace an existing record.
	const keepOffline = () => {
		if (!existing) settle(session, session.save(offline, undefined), "");
	};
	const answer = await session.askModel(prepared, () => {
		session.say(`recap-card: the request was canceled. ${rest}`);
		keepOffline();
	});
	if (answer?.ok) return answer.kept && settle(session, answer.kept);
	if (!answer) return;
	session.say(`recap-card: ${explainNoteFailure(answer, rest, "/recap-card --llm")}`, "warning");
	keepOffline();
}

const EDITOR_TITLE = "Recap of this session (state and checks come from the log)";

/** If the recap cannot be stored, the editor opens again, so that the user's changes are not lost. */
async function edit({ session, ctx }: InSession, { shown }: Prepared): Promise<void> {
	const before = toText(shown);
	let title = EDITOR_TITLE;
	let text = before;
	for (;;) {
		const typed = await ownDialog(() => ctx.ui.editor(title, text));
		if (session.over.aborted) return;
		if (typed === undefined || typed.trim() === before.trim())
			return session.say("recap-card: the recap was not changed.");
		const obstacle = store({ session, ctx }, typed, shown);
		if (obstacle === undefined) return;
		title = [obstacle, "Your text is below; press Esc to discard it."].join(" ");
		text = typed;
	}
}

function store({ session, ctx }: InSession, text: string, opened: SessionRecord): string | undefined {
	if (!ctx.isIdle()) return workingText("recap-card");
	const current = session.state();
	if (!current) return undefined;
	const edited = fromText(text, opened, current.shown);
	if (!edited.ok) {
		const { problem } = edited;
		return `recap-card: the recap was not saved. ${problem}`;
	}
	const kept = session.save(edited.recap, current.reading.existing);
	if (!kept.ok) return explainRefusal(kept);
	settle(session, kept);
	return undefined;
}

function settle(session: ResumeSession, kept: Kept, text = "recap-card: recap saved."): void {
	if (!kept.ok) {
		session.sayNotSaved(kept);
		return;
	}
	if (text !== "") session.say(text);
	const state = session.state();
	if (state) session.card.show(state);
}
