import { expect, test } from "vitest";
import { ORDINARY, PLANTED } from "../planted-secrets.test-support.ts";
import { SECRET_ARGUMENTS } from "./commands.ts";
import { FORM_RULES } from "./forms.ts";
import { LINKS } from "./links.ts";
import { NAME_ANCHORS } from "./names.ts";
import { literalsOf, type Rule } from "./scan.ts";
import { OTHERS } from "./token-formats.ts";

const formOf = (rule: Rule): RegExp => (rule instanceof RegExp ? rule : rule.form);

/** Whether a sticky pattern matches at a position. */
function matches(pattern: RegExp, text: string, at: number): boolean {
	pattern.lastIndex = at;
	return pattern.test(text);
}

const isPlanted: Record<
	string,
	{ rows: readonly unknown[]; finds: (row: never, text: string, secrets: string[]) => boolean }
> = {
	"forms and tokens": {
		rows: [...FORM_RULES, ...OTHERS],
		finds: (rule: Rule, text, secrets) => {
			const found = formOf(rule).exec(text)?.[0] ?? "";
			return secrets.some((secret) => found.includes(secret.slice(-5)));
		},
	},
	commands: {
		rows: SECRET_ARGUMENTS,
		finds: ([names, option]: (typeof SECRET_ARGUMENTS)[number], text, secrets) => {
			const form = new RegExp(
				`\\b(?:${names.replaceAll(" ", "|")})\\S* (?:.* )?${option.replace("\\S+?\\ue000", " basic ")}["']?(\\S+)`,
				"s",
			);
			const line = text.replace(/["']/g, "").replace(/\s+\\?\s*/g, " ");
			return secrets.some((secret) => form.exec(line)?.[0].includes(secret.slice(0, 4)));
		},
	},
	links: {
		rows: LINKS,
		finds: ([, form, front]: (typeof LINKS)[number], text, secrets) =>
			[...text].some((_, at) => {
				if (!matches(form, text, at)) return false;
				const value = text.slice(form.lastIndex).replace(/^["'`“([{]{1,3}/, "");
				if (!secrets.some((secret) => value.startsWith(secret))) return false;
				return !front || [...text.slice(0, at)].some((_one, start) => matches(front, text, start));
			}),
	},
};

test.each(Object.entries(isPlanted))(
	"there is a planted secret for each row of the table of %s",
	(_name, { rows, finds }) => {
		const missing = rows.filter(
			(row) => !PLANTED.some(({ text, secrets }) => finds(row as never, text, secrets)),
		);
		expect(missing).toEqual([]);
	},
);

const hasOrdinary: Record<
	string,
	{ rows: readonly unknown[]; finds: (row: never, text: string) => boolean }
> = {
	"forms and tokens": {
		rows: [...FORM_RULES, ...OTHERS],
		finds: (rule: Rule, text) =>
			literalsOf(formOf(rule)).some((literal) => text.toLowerCase().includes(literal.toLowerCase())),
	},
	commands: {
		rows: SECRET_ARGUMENTS,
		finds: ([names]: (typeof SECRET_ARGUMENTS)[number], text) =>
			names.split(" ").some((name) => ` ${text};`.includes(` ${name} `)),
	},
	links: {
		rows: LINKS,
		finds: ([, form]: (typeof LINKS)[number], text) =>
			[...text].some((_, at) => {
				const before = text.slice(Math.max(0, at - 12), at).toLowerCase();
				return NAME_ANCHORS.some((anchor) => before.includes(anchor)) && matches(form, text, at);
			}),
	},
};

test.each(Object.entries(hasOrdinary))(
	"there is an ordinary text for each row of the table of %s",
	(_name, { rows, finds }) => {
		expect(rows.filter((row) => !ORDINARY.some((text) => finds(row as never, text)))).toEqual([]);
	},
);
