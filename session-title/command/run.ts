import type { TitleSession } from "../session.ts";
import type { TypedRename } from "../typed-rename.ts";
import { explainFlagWithName, explainUnknownFlag, MISSING_NAME } from "./answers.ts";
import { helpText, parseCommand } from "./parse.ts";
import { whyText } from "./why.ts";

/** Runs `/rename …`. Resolves when a request to a model is over. */
export function runCommand(
	args: string,
	rename: TypedRename & Pick<TitleSession, "facts">,
	say: (text: string, kind: "info" | "warning") => void,
): Promise<void> {
	const action = parseCommand(args);
	switch (action.type) {
		case "name":
			rename.name(action.text);
			break;
		case "kebab":
			return rename.suggest("kebab");
		case "auto":
			return rename.suggest("title");
		case "undo":
			rename.undo();
			break;
		case "why":
			say(`rename: ${whyText(rename.facts())}.`, "info");
			break;
		case "help":
			say(helpText(), "info");
			break;
		case "missing_name":
			say(MISSING_NAME, "warning");
			break;
		case "flag_with_name":
			say(explainFlagWithName(action.flag), "warning");
			break;
		case "unknown_flag":
			say(explainUnknownFlag(action.text), "warning");
	}
	return Promise.resolve();
}
