import {
	ASKING,
	explainAsking,
	explainRefusal,
	NO_HEADLINE,
	NOT_EDITED,
	NOTHING_SHOWN,
	notStored,
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
			if (!session.clear()) screen.say(NOTHING_SHOWN);
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
	const { ctx, screen, session } = desk;
	const prepared = ctx.isIdle() ? await session.state() : undefined;
	if (!session.isLive()) return;
	// The user may have sent a prompt while the reader was loaded.
	if (!ctx.isIdle()) screen.say(WORKING, "warning");
	else if (prepared?.reading.stamp === undefined || !prepared.reading.hasTask) screen.say(TOO_LITTLE);
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
	const { existing, recap } = proposed.prepared;
	const placing = { over: existing, cause: "typed" } as const;
	// At most git's second: the card compares the repository with what the record says.
	await session.knowCheckout();
	if (!session.isLive()) return;
	if (!wantsModel) {
		settle(desk, session.keeper.put(recap, placing));
		return;
	}
	screen.status(ASKING);
	drafting.start(proposed.prepared, "typed", (outcome) => {
		screen.status(undefined);
		if (outcome.ok) {
			settle(desk, session.keeper.put(outcome.recap, placing));
			return;
		}
		const hasRecord = existing !== undefined;
		screen.say(explainAsking(outcome, { hasRecord }), "warning");
		// What stood there before is not given up for words that the rules would have found again.
		if (!existing) settle(desk, session.keeper.put(recap, placing), "");
	});
}

const EDITOR_TITLE = "Recap of this session (state and checks stay what the log says)";

/** Nothing that was typed is lost: where it cannot be stored, the editor opens again with it. */
async function edit(desk: CardDesk, { shown }: Prepared): Promise<void> {
	const { ctx, screen, session } = desk;
	const before = toText(shown);
	let title = EDITOR_TITLE;
	let text = before;
	for (;;) {
		const typed = await ctx.ui.editor(title, text);
		if (!session.isLive()) return;
		if (typed === undefined || typed.trim() === before.trim()) {
			screen.say(NOT_EDITED);
			return;
		}
		const obstacle = store(desk, typed);
		if (obstacle === undefined) return;
		title = notStored(obstacle);
		text = typed;
	}
}

/** Store what a person wrote for the session as it stands now; the reason where that fails. */
function store(desk: CardDesk, text: string): string | undefined {
	const { ctx, session } = desk;
	if (!ctx.isIdle()) return WORKING;
	const current = session.keeper.state();
	const recap = current && fromText(text, current.shown);
	if (!recap) return NO_HEADLINE;
	const kept = session.keeper.put(recap, { over: current.existing, cause: "typed" });
	if (!kept.ok) return explainRefusal(kept);
	settle(desk, kept);
	return undefined;
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
