import {
	ASKING,
	explainAsking,
	explainRefusal,
	NO_HEADLINE,
	NOT_EDITED,
	TOO_LITTLE,
	WORKING,
	WRITTEN,
} from "../answers.ts";
import type { Desk } from "../desk.ts";
import { fromText, toText } from "../record/edit.ts";
import type { Kept, Prepared } from "../record/keeper.ts";
import { CARD_BARE, CARD_OPTIONS, parseCard } from "./card-parse.ts";
import { helpText, unknownText } from "./options.ts";

type CardDesk = Pick<Desk, "ctx" | "screen" | "session" | "settings" | "drafting">;

/** `/recap-card …` */
export async function runCard(args: string, desk: CardDesk): Promise<void> {
	const { screen, session } = desk;
	const action = parseCard(args);
	switch (action.type) {
		case "clear":
			session.card.hide();
			return;
		case "help":
			screen.say(helpText("recap-card", CARD_BARE, CARD_OPTIONS));
			return;
		case "unknown":
			screen.say(unknownText("recap-card", action.word), "warning");
			return;
		case "show":
			return withState(desk, (prepared) => session.showCard(prepared));
		case "edit":
			return withState(desk, (prepared) => edit(desk, prepared));
		case "write":
			return withState(desk, (prepared) => write(desk, prepared, action));
	}
}

/** Go on with the session as it stands, if a typed command may speak about it; otherwise say why not. */
async function withState(desk: CardDesk, use: (prepared: Prepared) => void | Promise<void>): Promise<void> {
	if (!desk.ctx.isIdle()) {
		desk.screen.say(WORKING, "warning");
		return;
	}
	const prepared = await desk.session.state();
	if (prepared?.reading.stamp === undefined || !prepared.reading.hasTask) desk.screen.say(TOO_LITTLE);
	else await use(prepared);
}

/** The rules' record is on screen at once; a model's takes its place. */
async function write(
	desk: CardDesk,
	prepared: Prepared,
	{ force, llm }: { force: boolean; llm: boolean },
): Promise<void> {
	const { screen, session, settings, drafting } = desk;
	const wantsModel = llm || settings.resume.generator === "llm";
	const proposed = session.keeper.propose({ cause: "typed", force, wantsModel });
	session.showCard(prepared);
	if (!proposed.ok) {
		screen.say(explainRefusal(proposed), proposed.reason === "exists" ? "info" : "warning");
		return;
	}
	// At most git's second: the card compares the repository with what the record says.
	await session.knowCheckout();
	if (!wantsModel) {
		settle(desk, session.keeper.put(proposed.prepared.recap));
		return;
	}
	screen.status(ASKING);
	drafting.start(proposed.prepared, "typed", (outcome) => {
		screen.status(undefined);
		if (outcome.ok) {
			settle(desk, session.keeper.put(outcome.recap));
			return;
		}
		const { existing, recap } = proposed.prepared;
		screen.say(explainAsking(outcome, { hasRecord: existing !== undefined }), "warning");
		// What stood there before is not given up for words that the rules would have found again.
		if (!existing) settle(desk, session.keeper.put(recap), "");
	});
}

async function edit(desk: CardDesk, { shown }: Prepared): Promise<void> {
	const { ctx, screen, session } = desk;
	const before = toText(shown);
	const text = await ctx.ui.editor("Recap of this session (state and checks stay what the log says)", before);
	if (text === undefined || text.trim() === before.trim()) {
		screen.say(NOT_EDITED);
		return;
	}
	const recap = fromText(text, shown);
	if (recap) settle(desk, session.keeper.put(recap));
	else screen.say(NO_HEADLINE, "warning");
}

/** Say what became of a record, and show it. */
function settle({ screen, session }: CardDesk, kept: Kept, text = WRITTEN): void {
	if (!kept.ok) {
		screen.say(explainRefusal(kept), "warning");
		return;
	}
	if (text !== "") screen.say(text);
	const prepared = session.keeper.state();
	if (prepared) session.showCard(prepared);
}
