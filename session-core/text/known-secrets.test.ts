import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { knownIn, secretsIn } from "./known-secrets.ts";
import { redact } from "./redact.ts";

/** A fake secret, put together here so that no scanner finds one in this file. */
const fake = (...parts: string[]) => parts.join("");
const VALUE = fake("k3J9x", "Q2mZ7", "pL5w");

describe("a value that was once seen as a secret", () => {
	const known = secretsIn([
		`DB_PASSWORD=${VALUE}`,
		'api_key: "p&s/w?rd 9"',
		"postgres://app:tiger-lily@db/x",
	]);

	it.each([
		["in a sentence", `I typed ${VALUE} there.`, "I typed [redacted] there."],
		["in a path", `/tmp/${VALUE}/x`, "/tmp/[redacted]/x"],
		["in quotation marks", `say("${VALUE}")`, 'say("[redacted]")'],
		["behind an escape", `a\\n${VALUE}\\nb`, "a\\n[redacted]\\nb"],
		["of an address, without its user", "it was tiger-lily", "it was [redacted]"],
		["in a URL", "x?q=p%26s%2Fw%3Frd%209", "x?q=[redacted]"],
		["where the text was cut off in its middle", `and then ${VALUE.slice(0, 9)}`, "and then [redacted]"],
		["where the text was clipped in its middle", `and then ${VALUE.slice(0, 9)}…`, "and then [redacted]…"],
	])("is hidden %s", (_where, text, expected) => {
		expect(redact(text, known)).toBe(expected);
	});

	it("is hidden whole where its beginning was seen as one, too", () => {
		const token = fake("eyJhbGciOiJI", "UzI1NiJ9.eyJzdWIiOiIx", "MjM0In0.", VALUE.repeat(3));
		const ends = Array.from({ length: token.length }, (_, length) => token.slice(0, length + 1));
		const stopped = secretsIn([...ends.map((end) => `It logs in with ${end}`), `${token} fails`]);
		expect(redact(`deploy with ${token} fails`, stopped)).toBe("deploy with [redacted] fails");
		expect(knownIn(`deploy with ${token} fails`, stopped)).toBe("deploy with [redacted] fails");
	});

	it("stays where it is a part of a longer word", () => {
		expect(redact(`a${VALUE}b and ${VALUE}b`, known)).toBe(`a${VALUE}b and ${VALUE}b`);
	});

	it("is hidden without its name, where it was taken together with it", () => {
		const text = `use password hunter2x9 and OPENAI_KEY=${VALUE} in prod`;
		expect(redact(`Keep ${VALUE}?`, secretsIn([text]))).toBe("Keep [redacted]?");
	});

	it("is none where it is a word that stands for something else as well", () => {
		expect([...secretsIn(["password: root", 'password="admin"', "PIN: 4821", "SECRET=test"])]).toEqual([]);
	});

	it("is not remembered where nothing was seen", () => {
		expect(secretsIn(["the password is required", "token: string"]).size).toBe(0);
	});

	it("is hidden in whatever text of words", () => {
		const word = fc.stringMatching(/^[a-z]{1,10}$/);
		fc.assert(
			fc.property(fc.array(word), fc.array(word), (before, after) => {
				const text = [...before, VALUE, ...after].join(" ");
				expect(redact(text, known)).not.toContain(VALUE);
			}),
		);
	});

	it("redacting again changes nothing", () => {
		const once = redact(`x ${VALUE} y password=${VALUE}`, known);
		expect(redact(once, known)).toBe(once);
	});
});
