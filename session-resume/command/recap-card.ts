import { keyHelp } from "../../session-core/command/key-bindings.ts";
import { helpText, unknownText } from "../../session-core/command/options.ts";
import { copyAnswer } from "../../session-core/host/clipboard.ts";
import { ownDialog } from "../../session-core/host/host-events.ts";
import { recapMarkdown } from "../../session-core/recap/markdown.ts";
import { recapText } from "../../session-core/recap/text.ts";
import type { ResumeContext } from "../context.ts";
import { fromText, toText } from "../record/edit.ts";
import type { Kept, Prepared } from "../record/keeper.ts";
import { dailyAnswers, explainFailure, explainRefusal } from "./answers.ts";
import { CARD_OPTIONS, parseCard } from "./arguments.ts";
import { whyText } from "./doctor.ts";

type CardContext = Pick<ResumeContext, "ctx" | "keys" | "screen" | "session" | "settings" | "recordRequest">;

/** `/recap-card …` */
export async function runCard(args: string, context: CardContext): Promise<void> {
	const { screen, session } = context;
	const action = parseCard(args);
	switch (action.type) {
		case "clear":
			if (!session.clear()) screen.say(dailyAnswers().noCard);
			return;
		case "why": {
			const prepared = await session.state();
			if (!session.isLive()) return;
			screen.say(`recap-card: ${whyText(prepared, context.settings.resume.minMessages)}.`);
			return;
		}
		case "help":
			screen.say(helpText("recap-card", CARD_OPTIONS, keyHelp("card", context.keys)));
			return;
		case "unknown":
			screen.say(unknownText("recap-card", action.word), "warning");
			return;
		case "show":
			return withState(context, (prepared) => session.showCard(prepared));
		case "copy":
			return withState(context, (prepared) => copyCard(context, prepared, action));
		case "today":
			screen.say("recap-card: type /today to see what the sessions have done today.");
			return;
		case "edit":
			return withState(context, (prepared) => edit(context, prepared));
		case "write":
			return withState(context, (prepared) => write(context, prepared, action));
	}
}

/** Calls `use` with the current state, or tells the user why there is none. */
async function withState(
	context: CardContext,
	use: (prepared: Prepared) => void | Promise<void>,
): Promise<void> {
	const { ctx, screen, session } = context;
	const prepared = ctx.isIdle() ? await session.state() : undefined;
	if (!session.isLive()) return;
	// The user may have sent a prompt while the reader was being loaded.
	const daily = dailyAnswers();
	if (!ctx.isIdle()) screen.say(daily.working, "warning");
	else if (prepared?.reading.stamp === undefined || !prepared.reading.hasTask) screen.say(daily.tooLittle);
	else await use(prepared);
}

async function copyCard(
	{ screen, session }: CardContext,
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
	context: CardContext,
	prepared: Prepared,
	{ force, llm }: { force: boolean; llm: boolean },
): Promise<void> {
	const { screen, session, settings, recordRequest } = context;
	const wantsModel = llm || settings.resume.generator === "llm";
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
	screen.asking(dailyAnswers().asking, "esc to cancel", () => {
		recordRequest.drop();
		screen.answered();
		screen.say(explainFailure("cancelled", { hasRecord }));
		offline();
	});
	recordRequest.start(proposed.prepared, "typed", (outcome) => {
		screen.answered();
		if (outcome.ok) {
			settle(context, session.keeper.put(outcome.recap, placing));
			return;
		}
		screen.say(explainFailure(outcome, { hasRecord }), "warning");
		offline();
	});
}

const EDITOR_TITLE = "Recap of this session (state and checks come from the log)";

/**
 * Opens the editor. If the edited text cannot be stored, the editor opens again with that text, so that nothing that the user typed is
 * lost.
 */
async function edit(context: CardContext, { shown }: Prepared): Promise<void> {
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
function store(context: CardContext, text: string): string | undefined {
	const { ctx, session } = context;
	if (!ctx.isIdle()) return dailyAnswers().working;
	const current = session.keeper.state();
	const recap = current && fromText(text, current.shown);
	if (!recap) return "recap-card: not saved, because the recap has no headline.";
	const kept = session.keeper.put(recap, { over: current.existing, cause: "typed" });
	if (!kept.ok) return explainRefusal(kept);
	settle(context, kept);
	return undefined;
}

/** Reports whether the record was written; if it was, also shows the record. */
function settle({ screen, session }: CardContext, kept: Kept, text: string = dailyAnswers().written): void {
	if (!kept.ok) {
		screen.say(explainRefusal(kept), "warning");
		return;
	}
	if (text !== "") screen.say(text);
	const prepared = session.keeper.state();
	if (prepared) session.showCard(prepared);
}
