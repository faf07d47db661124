import { expect, test } from "vitest";
import { ENGLISH } from "../../session-core/words/en.ts";
import { TITLE_FLAGS } from "../config.ts";
import {
	asking,
	explainFailure,
	explainFlagWithName,
	explainUnknownFlag,
	MISSING_NAME,
	NO_NAME_AGAIN,
	type RenameFailure,
} from "./answers.ts";
import { helpText } from "./parse.ts";

/** Every sentence as a user reads it. A change here is meant, or it is a mistake. */

const REASONS: readonly RenameFailure[] = [
	"no_model",
	"empty_history",
	"empty_result",
	"named_meanwhile",
	"moved_on",
	"unreadable",
	"not_written",
	"empty_name",
	"nothing_to_undo",
	"timeout",
];

test("why a typed /rename did not do what it was asked for", () => {
	expect(REASONS.map((reason) => explainFailure(reason, "p/m"))).toMatchInlineSnapshot(`
		[
		  "title: no model can be asked. Choose one with /model, --title-model provider/id or "fastModel" in session-suite.json, or type /rename <name>.",
		  "title: there is nothing to name this session after yet. Ask again once it has a task, or type /rename <name>.",
		  "title: the answer of p/m was no usable title, so the name stays. Ask again, choose another model with --title-model, or type /rename <name>.",
		  "title: the session was named meanwhile, and that name stays. /rename --auto replaces it.",
		  "title: the session goes on in another process. Name it there, or type /rename <name> here.",
		  "title: the session's file cannot be read, so nothing was changed. Check its permissions, or that it is no link.",
		  "title: the session's file could not be written. Check the disk's space and the file's permissions, then try again.",
		  "title: that name has no visible characters. Type /rename <name>.",
		  "title: this session has had no other name. /rename <name> gives it one.",
		  "title: p/m did not answer in time. Try again, or choose a faster model. The name stays.",
		]
	`);
});

test("the other answers", () => {
	expect([
		asking("p/m", ENGLISH),
		explainUnknownFlag("--frob a name"),
		explainFlagWithName("--auto"),
		MISSING_NAME,
		NO_NAME_AGAIN,
	]).toMatchInlineSnapshot(`
		[
		  "title: asking p/m …",
		  "title: unknown flag "--frob". If that is the name, type /rename -- --frob a name; /rename --help lists what there is.",
		  "title: --auto takes no name. For a name that begins so, type /rename -- --auto …",
		  "title: a name belongs behind --. For example: /rename -- --verbose flag is ignored",
		  "title: the name is gone, and the session will not name itself again. /rename <name> gives it one.",
		]
	`);
});

test("the help", () =>
	expect(helpText()).toMatchInlineSnapshot(`
		"  /rename <name>     Name the session; nothing changes it but you
		  /rename            Ask a model for a kebab-case name, such as fix-login-redirect
		  /rename --auto     Let the model title the session again
		  /rename --undo     Go back to the name before
		  /rename --why      How it came to its name, or why it has none
		  /rename --help     What /rename can do
		  /rename -- <name>  What follows is the name, also if it begins with --"
	`));

test("the flags", () => {
	expect(
		Object.entries(TITLE_FLAGS).map(([name, { description }]) => `${name}: ${description}`),
	).toMatchInlineSnapshot(`
		[
		  "title-model: Model for session titles, as provider/id (default: fastModel setting, then a cheap sibling)",
		  "title-disable: Sessions do not name themselves; /rename still works",
		]
	`);
});
