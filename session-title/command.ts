import { nameText, type TitleData } from "../session-core/log/index.ts";
import {
	type Completion,
	commandForm,
	completeOptions,
	formatSpec,
	type HelpOrRefusal,
	helpText,
	readArguments,
} from "../session-core/pi/index.ts";
import type { TitleStyle } from "./ask.ts";
import { whyNamed } from "./report.ts";
import { TitleSession } from "./session.ts";

export { TitleSession };

type RenameAction = { type: "name"; text: string } | { type: "kebab" | "auto" | "undo" | "why" };

export const RENAME = commandForm({
	name: "rename",
	options: [
		["<name>", "Name the session; only you can change this name"],
		["", "Ask a model for a kebab-case name, such as fix-login-redirect"],
		["--auto", "Ask a model for a new title"],
		["--undo", "Restore the previous name"],
		["--why", "Show who chose the name, or why the session has no name"],
		["-- <name>", "Use the text after -- as the name, even if it begins with --"],
	],
});

const ACTIONS = { "--auto": "auto", "--undo": "undo", "--why": "why" } as const;

/** Only the first word can be an option, so that a name may contain words that begin with `--`. */
export function parseRename(args: string): RenameAction | HelpOrRefusal {
	const text = args.trim();
	if (text === "") return { type: "kebab" };
	if (!/^--|^-h$/.test(text)) return { type: "name", text };
	const given = readArguments(RENAME, text);
	if (given.type !== "given") return given;
	const [option, ...others] = given.options;
	if (option === undefined)
		return given.text === ""
			? { type: "refused", why: "type a name after --, for example /rename -- --force" }
			: { type: "name", text: given.text };
	if (given.text === "" && others.length === 0) return { type: ACTIONS[option] };
	const why = `${option} takes no name. To use a name that begins with ${option}, type /rename -- ${option} …`;
	return { type: "refused", why };
}

export function completeRename(prefix: string): Completion[] | null {
	return completeOptions(RENAME, prefix);
}

export async function runRename(args: string, session: TitleSession): Promise<void> {
	const action = parseRename(args);
	switch (action.type) {
		case "name":
			return nameAs(action.text, session);
		case "kebab":
			return suggest("kebab", session);
		case "auto":
			return suggest("title", session);
		case "undo":
			return undo(session);
		case "why":
			return session.say(`rename: ${whyNamed(session.facts())}.`);
		case "help":
		case "refused":
			return session.say(...helpText(RENAME, action));
	}
}

function nameAs(text: string, session: TitleSession) {
	const title = nameText(text);
	if (title === "") return session.fail({ reason: "empty_name" });
	session.stop();
	if (session.nameAs(title)) session.show({ title, source: "manual" });
}

async function suggest(style: TitleStyle, session: TitleSession): Promise<void> {
	const reading = session.read();
	const { candidates } = session.choose();
	const [first] = candidates;
	if (!reading.hasTopic || !first) return session.fail({ reason: first ? "empty_history" : "no_model" });
	const seen = session.names().current;
	session.asking(formatSpec(first.model));
	await session.request("typed", { reading, style, candidates }, (made) => {
		// Only `/rename` creates kebab-case names, so such a name is treated as the user's choice.
		const data: TitleData = { ...made, source: style === "kebab" ? "manual" : "auto" };
		const isNamed = session.name({
			data,
			mayReplace: ({ source, id }) => source === "auto" || id === seen?.id,
		});
		if (isNamed) session.show(data);
	});
}

function undo(session: TitleSession) {
	const { current, previous } = session.names();
	if (!current || current.text === previous) return session.fail({ reason: "nothing_to_undo" });
	session.stop();
	if (!session.nameAs(previous)) return;
	if (previous !== "") return session.show({ title: previous, source: "manual" });
	session.hide();
	session.say(
		"rename: the name was removed, and the session will not be named automatically again. Type /rename <name> to name it.",
	);
}
