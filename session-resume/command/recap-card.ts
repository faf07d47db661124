import {
	commandForm,
	copyToUser,
	explainNoteFailure,
	type Kept,
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
import type { ResumeSession, TypedCommand } from "../session.ts";
import { fromText, toText } from "./edit.ts";

export const RECAP_CARD = commandForm({
	name: "recap-card",
	options: [
		["", "Save a recap of this session and show it as a card"],
		["show", "Show the card without saving a recap"],
		["edit", "Edit the recap; your text is never overwritten"],
		["copy", "Copy the card's text to the clipboard"],
		["copy --markdown", "Copy the card as Markdown"],
		["clear", "Hide the card"],
		["--force", "Generate the recap again and replace the existing recap"],
		["--llm", "Have a model write the recap"],
		["--llm --force", "Have a model write a new recap and replace the existing one"],
		["--why", "Show how the current recap was generated, or why there is no recap"],
	],
});

export async function runCard(args: string, { session }: Pick<TypedCommand, "session">): Promise<void> {
	const given = readChoice(RECAP_CARD, args);
	if (given.type !== "given") return session.sayHelp(RECAP_CARD, given, "card");
	const { value } = given;
	const { screen } = session;
	if (value === "clear") return session.clear() ? undefined : screen.say("recap-card: no card is shown.");
	if (value === "--why") return screen.say(`recap-card: ${session.recordWhy()}.`);
	const state = session.stateFor("recap-card");
	if (!state) return;
	switch (value) {
		case "show":
			return session.card.show(state);
		case "copy":
		case "copy --markdown":
			return copyCard(session, state, value === "copy" ? recapText : recapMarkdown);
		case "edit":
			return edit(session, state);
		default:
			return write(session, state, { force: value.includes("--force"), llm: value.includes("--llm") });
	}
}

async function copyCard(
	session: ResumeSession,
	{ shown, reading }: Prepared,
	textOf: typeof recapText,
): Promise<void> {
	const { screen, commons } = session;
	const answer = await copyToUser(textOf(shown, commons.words(reading.language)), screen.isTerminal());
	if (!session.over.aborted) screen.say(`recap-card: ${answer.text}`, answer.kind);
}

async function write(
	session: ResumeSession,
	state: Prepared,
	{ force, llm }: { force: boolean; llm: boolean },
): Promise<void> {
	const { screen, commons } = session;
	const { records, notes, repository } = commons;
	const wantsModel = llm || session.settings().generator === "llm";
	const unforced = llm ? "unedited" : wantsModel && "offline";
	const proposed = records.propose({ cause: "typed", replaces: force ? "all" : unforced });
	session.card.show(state);
	if (!proposed.ok) return session.sayNotSaved(proposed, proposed.reason === "exists" ? "info" : "warning");
	const { offline, reading } = proposed.prepared;
	const { existing } = reading;
	// Reading the repository takes at most one second, which is git's timeout.
	if (!repository.last) await repository.refresh();
	if (session.over.aborted) return;
	if (!wantsModel) return settle(session, records.put(offline, existing, "typed"));
	const rest = existing ? "The existing recap was kept." : "The recap was generated without a model.";
	// A record that was written without a model must not replace an existing record.
	const keepOffline = () => {
		if (!existing) settle(session, records.put(offline, undefined, "typed"), "");
	};
	let isCanceled = false;
	screen.asking("recap-card: asking the model…", () => {
		isCanceled = true;
		notes.drop();
		screen.answered();
		screen.say(`recap-card: the request was canceled. ${rest}`);
		keepOffline();
	});
	const { candidates } = commons.choose("recap");
	const asked = { by: "typed", cause: "typed", candidates, replaces: existing } as const;
	const answer = await notes.ask(proposed.prepared, asked);
	// After a cancellation, the footer may already show the next request, so the footer is not cleared.
	if (!isCanceled && !session.over.aborted) screen.answered();
	if (answer?.ok) return answer.kept && settle(session, answer.kept);
	if (!answer) return;
	screen.say(`recap-card: ${explainNoteFailure(answer, rest, "/recap-card --llm")}`, "warning");
	keepOffline();
}

const EDITOR_TITLE = "Recap of this session (state and checks come from the log)";

/** If the text cannot be stored, the editor opens again, so that the user's changes are not lost. */
async function edit(session: ResumeSession, { shown }: Prepared): Promise<void> {
	const { ctx, screen } = session;
	const before = toText(shown);
	let title = EDITOR_TITLE;
	let text = before;
	for (;;) {
		const typed = await ownDialog(() => ctx.ui.editor(title, text));
		if (session.over.aborted) return;
		if (typed === undefined || typed.trim() === before.trim())
			return screen.say("recap-card: the recap was not changed.");
		const obstacle = store(session, typed, shown);
		if (obstacle === undefined) return;
		title = [obstacle, "Your text is below; press Esc to discard it."].join(" ");
		text = typed;
	}
}

function store(session: ResumeSession, text: string, opened: SessionRecord): string | undefined {
	if (!session.ctx.isIdle()) return workingText("recap-card");
	const current = session.state();
	if (!current) return undefined;
	const edited = fromText(text, opened, current.shown);
	if (!edited.ok) {
		const { problem } = edited;
		return `recap-card: the recap was not saved. ${problem}`;
	}
	const kept = session.commons.records.put(edited.recap, current.reading.existing, "typed");
	if (!kept.ok) return explainRefusal(kept);
	settle(session, kept);
	return undefined;
}

function settle(session: ResumeSession, kept: Kept, text = "recap-card: recap saved."): void {
	const { screen, card } = session;
	if (!kept.ok) {
		session.sayNotSaved(kept);
		return;
	}
	if (text !== "") screen.say(text);
	const state = session.state();
	if (state) card.show(state);
}
