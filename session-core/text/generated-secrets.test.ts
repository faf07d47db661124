import { expect, test } from "vitest";
import { anyOf, type Random, seeded } from "../../test/support/random.ts";
import {
	COMMANDS,
	commandForm,
	cutEnd,
	FORMS,
	LAYOUTS,
	PREFIXES,
	shownPiece,
	unmark,
} from "./generated-secrets.test-support.ts";
import { redact } from "./redact.ts";

/**
 * Another seed generates other secrets. For the figures in docs/secrets.md, set `SECRETS_PER_FORM` to
 * 1500.
 */
const SEED = Number(process.env["PROPERTY_SEED"] ?? 1);
const PER_FORM = Number(process.env["SECRETS_PER_FORM"] ?? 60);
/**
 * Forms in which the secret precedes the text that names it, so that this text is missing if the end is
 * cut off.
 */
const NAMED_AFTERWARDS = /data first|k8s json|k8s list|stringData|value first/;

const forms = Object.keys(FORMS);
const form = (random: Random): string => FORMS[anyOf(random, forms)]?.(random) ?? "";
const command = (random: Random): string =>
	commandForm(random, anyOf(random, Object.keys(COMMANDS)), anyOf(random, Object.keys(LAYOUTS)));

const CASES: Record<string, (random: Random) => string> = {
	...FORMS,
	...Object.fromEntries(
		forms
			.filter((name) => !NAMED_AFTERWARDS.test(name))
			.map((name) => [`${name}, cut`, (random: Random) => cutEnd(FORMS[name]?.(random) ?? "", random)]),
	),
	...Object.fromEntries(
		Object.entries(PREFIXES).flatMap(([name, put]) => [
			[`a form, ${name}`, (random: Random) => put(form(random), random)],
			[`a command, ${name}`, (random: Random) => put(command(random), random)],
		]),
	),
	...Object.fromEntries(
		Object.keys(COMMANDS).flatMap((name) =>
			Object.keys(LAYOUTS).map((layout) => [
				`${name}, ${layout}`,
				(random: Random) => commandForm(random, name, layout),
			]),
		),
	),
};

test("of random secrets in all forms, layouts, prefixes and cuts, at most one in a hundred is shown", {
	timeout: 900_000,
}, () => {
	const random = seeded(SEED);
	let count = 0;
	const shown: string[] = [];
	for (const [name, write] of Object.entries(CASES))
		for (let round = 0; round < PER_FORM; round++) {
			const { text, secrets } = unmark(write(random));
			const output = redact(text);
			count++;
			if (secrets.some((secret) => shownPiece(secret, output) !== undefined)) shown.push(`${name}: ${text}`);
		}
	expect(count).toBeGreaterThan(20 * PER_FORM);
	expect(shown.length, `${shown.length} of ${count}\n${shown.slice(0, 40).join("\n")}`).toBeLessThanOrEqual(
		count / 100,
	);
});
