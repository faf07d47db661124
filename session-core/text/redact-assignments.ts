import { type Candidate, isSecretValue } from "./secret-value.ts";

export const REDACTED = "[redacted]";

/** Names of which the value is a secret whatever it looks like. */
const PASSWORD_NAME =
	"pass(?:word|wd|phrase|code|wort)|(?<![A-Za-z])pwd|(?<=_)pwd|(?<=[A-Za-z0-9][_-])pass|client[_-]?secret|secret[_-]?key|secret";
/** Names of which the value has to look like a secret: parsers have tokens, maps have keys. */
const TOKEN_NAME =
	"(?:api|app|access|auth|account|admin|private|signing|encryption|master|service|subscription|license|ssh|deploy)[_ -]?key|token|jwt|credentials?|sessid|_auth";
const SUFFIX =
	"(?:[_-]?(?:prod|production|dev|test|staging|live|local|value|b64|base64|plain|old|new|raw)|[_-]?\\d{1,3})?";

/** From the name to the value; bounded everywhere, so that a failed attempt costs a constant. */
const CLOSE = "[\"'`\\\\]{0,4}\\]?";
const ANNOTATION = "(?:\\s{0,3}:\\s{0,3}[A-Za-z_][\\w.<>|? ]{0,40}(?=\\s{0,3}=\\s{0,3}[\"'`]))?";
const ASSIGN = "\\s{0,20}(?::=|=>|=(?![=>~])|:(?!:))\\s{0,20}";
const PAIRED_VALUE = "\\s{0,20},?\\s{0,20}[\"']?value[\"']?\\s{0,5}[:=]\\s{0,5}";
const PHRASE = "\\s{1,3}(?:is|was|to)(?: now)?:?\\s{1,3}";
const ARGUMENT = "(?<argument>[,(])\\s{0,3}(?=[\"'])";

const QUOTED =
	"[bfruBFRU@$]{0,2}(?<escaped>\\\\{0,3})(?<quote>\"\"\"|'''|[\"'`])(?<quoted>(?:\\\\[^\\n]|(?!\\k<quote>)[^\\\\\\n])*)";
const BARE = "(?<bare>[^\\s\"'`,;&<>|(){}\\[\\]]+)";

const ASSIGNMENT = new RegExp(
	`(?:(?<password>${PASSWORD_NAME})|(?:${TOKEN_NAME}))${SUFFIX}(?:${CLOSE}${ANNOTATION}(?<assign>${ASSIGN})|${CLOSE}${PAIRED_VALUE}|(?<phrase>${PHRASE})|${CLOSE}${ARGUMENT})(?:${QUOTED}|${BARE})`,
	"gi",
);
/** `--password value`, with a blank where an assignment has a sign. */
const OPTION = new RegExp(
	`(?<=--[a-z0-9-]{0,40})(?:(?<password>${PASSWORD_NAME})|(?:${TOKEN_NAME}))(?<option> {1,3})(?!-)(?:${QUOTED}|${BARE})`,
	"gi",
);
/** `<password>value</password>` */
const ELEMENT = new RegExp(
	`(?<=<[\\w:.-]{0,40})(?:(?<password>${PASSWORD_NAME})|(?:${TOKEN_NAME}))>(?<quoted>[^<\\n]+)(?=<\\/)`,
	"gi",
);

type Groups = Partial<
	Record<
		"password" | "option" | "argument" | "assign" | "phrase" | "escaped" | "quote" | "quoted" | "bare",
		string
	>
>;

function styleOf(groups: Groups, match: string): Candidate["style"] {
	if (groups.argument !== undefined) return "phrase";
	if (groups.quoted !== undefined) return "quoted";
	if (groups.option !== undefined) return "option";
	if (groups.phrase !== undefined) return "phrase";
	if (groups.assign === "=") return "env";
	return groups.assign?.includes("=") || /=\s*$/.test(match) ? "code" : "colon";
}

/** The value without the closing of an escaped quotation or the full stop of its sentence. */
function valueIn(groups: Groups): string {
	if (groups.bare !== undefined) return groups.bare.replace(/[.:?!]{1,3}$/, "") || groups.bare;
	const quoted = groups.quoted ?? "";
	if (!groups.escaped) return quoted;
	const end = quoted.search(/\\{1,3}["'`]/);
	return end < 0 ? quoted : quoted.slice(0, end);
}

function hide(text: string, pattern: RegExp): string {
	return text.replace(pattern, (...args: unknown[]) => {
		const match = String(args[0]);
		const groups = args.at(-1) as Groups; // A pattern with named groups gets them as its last argument.
		const offset = Number(args.at(-3));
		const raw = groups.bare ?? groups.quoted ?? "";
		const value = valueIn(groups);
		const start = match.length - raw.length;
		const secret = isSecretValue({
			value,
			name: groups.password === undefined ? "token" : "password",
			style: styleOf(groups, match.slice(0, start)),
			next: text.slice(offset + match.length, offset + match.length + 16),
		});
		return secret ? match.slice(0, start) + REDACTED + raw.slice(value.length) : match;
	});
}

/** Values that stand after the name of a secret: assignments, JSON and XML, options of a command, plain sentences. */
export function redactAssignments(text: string): string {
	return hide(hide(hide(text, ELEMENT), OPTION), ASSIGNMENT);
}
