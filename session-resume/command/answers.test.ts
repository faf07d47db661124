import { expect, test } from "vitest";
import { helpText } from "../../session-core/command/options.ts";
import { recapOf } from "../../session-core/recap/record.test-support.ts";
import { ENGLISH } from "../../session-core/words/en.ts";
import { helpText as boardHelp } from "../board/command.ts";
import type { Refused } from "../record/keeper.ts";
import {
	dailyAnswers,
	explainAsking,
	explainRefusal,
	NO_HEADLINE,
	NOT_EDITED,
	notStored,
} from "./answers.ts";
import { CARD_OPTIONS, FROM_OPTIONS, HERE_OPTIONS } from "./arguments.ts";

/** Every sentence as a user reads it. A change here is meant, or it is a mistake. */

test("the fixed sentences", () => {
	expect([
		...Object.values(dailyAnswers(ENGLISH)),
		NOT_EDITED,
		NO_HEADLINE,
		notStored(NO_HEADLINE),
	]).toMatchInlineSnapshot(`
		[
		  "resume: the agent is still working. Ask again when it is done.",
		  "resume: there is too little in this session yet.",
		  "recap-card: asking the model …",
		  "recap-card: record written.",
		  "recap-card: no card is on the screen.",
		  "recap-card: nothing changed.",
		  "recap-card: not stored, it has no headline.",
		  "recap-card: not stored, it has no headline. What you typed is below: Esc gives it up.",
		]
	`);
});

test("why no record was written", () => {
	const existing = recapOf({ generator: { type: "llm", provider: "p", model: "m" } });
	const refused: Omit<Refused, "ok">[] = [
		{ reason: "edited" },
		{ reason: "exists" },
		{ reason: "exists", existing },
		{ reason: "moved_on" },
		{ reason: "aside" },
		{ reason: "stale" },
		{ reason: "not_saved" },
		{ reason: "unreadable" },
		{ reason: "unwritable", detail: "ENOSPC: no space left on device, write '/home/u/x.jsonl'" },
		{ reason: "unwritable" },
		{ reason: "short" },
	];
	expect(refused.map((one) => explainRefusal({ ok: false, ...one }, ENGLISH))).toMatchInlineSnapshot(`
		[
		  "recap-card: you edited this record, so it stays. /recap-card --force writes a new one.",
		  "recap-card: this is recorded already. /recap-card --force writes it again.",
		  "recap-card: this is recorded already, by p/m. /recap-card --force writes it again.",
		  "recap-card: not written, because another pi went on with this session. Open it again to see what it did.",
		  "recap-card: not written, because you stand at an earlier point of this session. /recap-card writes it there.",
		  "recap-card: not written, because the session went on meanwhile. /recap-card asks again.",
		  "recap-card: not written, because pi has not saved this session yet.",
		  "recap-card: not written, because the end of the session's file cannot be read.",
		  "recap-card: not written, nothing else is lost: ENOSPC: no space left on device",
		  "recap-card: not written, nothing else is lost: the session's file cannot be written.",
		  "resume: there is too little in this session yet.",
		]
	`);
});

test("why a record was not written by a model", () => {
	const reasons = ["no_model", "unusable", "timeout"] as const;
	expect(
		reasons.flatMap((reason) =>
			[false, true].map((hasRecord) => explainAsking({ ok: false, reason, model: "p/m" }, { hasRecord })),
		),
	).toMatchInlineSnapshot(`
		[
		  "recap-card: no model is available. The record is the offline one. Choose one with /model.",
		  "recap-card: no model is available. The record stays as it was. Choose one with /model.",
		  "recap-card: the answer of p/m could not be used. The record is the offline one. /recap-card --llm asks again.",
		  "recap-card: the answer of p/m could not be used. The record stays as it was. /recap-card --llm asks again.",
		  "recap-card: p/m did not answer in time. Try again, or choose a faster model. The record is the offline one.",
		  "recap-card: p/m did not answer in time. Try again, or choose a faster model. The record stays as it was.",
		]
	`);
});

test("the help of every command", () => {
	expect(boardHelp()).toMatchInlineSnapshot(`
		"  /sessions                    The sessions of this project, live ones on top
		  /sessions <words>            Those with these words in title, first prompt or recap
		  /sessions --all              Those of all projects, with or without words
		  /sessions --fork <title|id>  Continue in a copy of a session
		  /sessions -- <words>         Words that begin with --
		  /sessions --help             What /sessions can do
		  On the board: type to filter, Enter resumes, Ctrl+G searches everything that was said, F1 explains keys, symbols and filter, Esc goes back."
	`);
	expect(helpText("recap-card", CARD_OPTIONS)).toMatchInlineSnapshot(`
		"  /recap-card                  Write this session's record and show its card
		  /recap-card show             Show the card without writing anything
		  /recap-card edit             Put it in your own words; what you wrote is never overwritten
		  /recap-card copy             Put what the card says on the clipboard
		  /recap-card copy --markdown  The same as Markdown
		  /recap-card today            What each session of this project did since midnight, as Markdown in the editor
		  /recap-card today --all      The same of all projects
		  /recap-card clear            Take the card off the screen
		  /recap-card --force          Write it again, over what is there
		  /recap-card --llm            Let a model write it
		  /recap-card --llm --force    Let a model write it, over what is there
		  /recap-card --why            Whether this state has a record, and why not
		  /recap-card --help           What /recap-card can do"
	`);
	expect(helpText("resume-here", HERE_OPTIONS)).toMatchInlineSnapshot(`
		"  /resume-here                       Put the first next step into the editor, as a prompt that you can edit
		  /resume-here 2                     The second one; a number chooses the step
		  /resume-here --send                Send it at once
		  /resume-here --branch              Continue in a fork; this session stays as it is
		  /resume-here --branch --always     In a fork, now and whenever this session is resumed
		  /resume-here --no-branch           In this session, even if it is set to be resumed in a fork
		  /resume-here --no-branch --always  In this session, now and whenever it is resumed
		  /resume-here --fresh               In a new session that begins with the recap; this one stays as it is
		  /resume-here --fresh <goal>        The same for a goal of yours, with what bears on it
		  /resume-here --help                What /resume-here can do"
	`);
	expect(helpText("resume-from", FROM_OPTIONS)).toMatchInlineSnapshot(`
		"  /resume-from <title|id>               Open another session and put its next step into the editor
		  /resume-from <title|id> --branch      Continue in a fork; that session stays as it is
		  /resume-from <title|id> --at <entry>  Continue in a fork from an earlier point
		  /resume-from --at <entry>             The same in this session
		  /resume-from -- <title>               A title that begins with --
		  /resume-from --help                   What /resume-from can do"
	`);
});
