import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { hostileText } from "../../test/support/hostile-text.ts";
import { atOnce } from "./files/pace.ts";
import { PLANTED } from "./planted-secrets.test-support.ts";
import { hideKnown, redact, secretSteps } from "./redact.ts";
import { TOKEN_FORMATS } from "./secrets/token-formats.ts";

/** A fake secret, put together here so that no scanner finds one in this file. */
const fake = (...parts: string[]) => parts.join("");
const ALNUM = "k3J9xQ2mZ7pL5wR8vT1nB6yH4cD0gF3sA9eU2iO7";
const HEX = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

const TOKENS = [
	...TOKEN_FORMATS.map(({ token }) => token),
	...PLANTED.filter(({ text }) => text.startsWith("tokens of ")).flatMap(({ secrets }) => secrets),
];

const PEM_BODY = fake(HEX, "\n", ALNUM, ALNUM.slice(0, 24), "\n", HEX, "\n", "abcd==");
const BEGIN = fake("-----BEGIN RSA PRIV", "ATE KEY-----");
const END = fake("-----END RSA PRIV", "ATE KEY-----");

const VALUE = fake("k3J9x", "Q2mZ7", "pL5w");

const secretsIn = (texts: readonly string[]) => atOnce(secretSteps(texts));

describe("tokens with a known format", () => {
	it.each(TOKENS)("%s", (token) => {
		expect(redact(`before ${token} after`)).toBe("before [redacted] after");
		expect(redact(`"${token}",`)).toBe('"[redacted]",');
		expect(redact(`KEY=${token}`)).toBe("KEY=[redacted]");
	});

	it.each(TOKEN_FORMATS)("but not $ordinary", ({ ordinary }) => {
		expect(redact(`see ${ordinary} here`)).toBe(`see ${ordinary} here`);
	});
});

test.each([
	`{\\u0022password\\u0022:\\u0022${VALUE}\\u0022}`,
	`{&quot;password&quot;: &quot;${VALUE}&quot;}`,
	`&lt;password&gt;${VALUE}&lt;/password&gt;`,
	`\\u0022${fake("gh", "p_", ALNUM)}\\u0022`,
	`\\x22${fake("gh", "p_", ALNUM)}`,
	`TOKEN${fake("gh", "p_", ALNUM)}`,
	`-----BEGIN%20PRIVATE%20KEY-----%0A${ALNUM}%2B%0A${ALNUM}%3D%0A-----END%20PRIVATE%20KEY-----`,
	`key=-----BEGIN+RSA+PRIVATE+KEY-----%0D%0A${ALNUM}%0D%0A${ALNUM}`,
])("a secret between encoded characters is redacted: %s", (text) => {
	const shown = redact(text);
	for (const secret of [VALUE, ALNUM]) expect(shown).not.toContain(secret);
	expect(shown).toContain("[redacted]");
});

it.each([
	["whole", `a\n${BEGIN}\n${PEM_BODY}\n${END}\nb`, "a\n[redacted]\nb"],
	["in a JSON string", `"${BEGIN}\\n${PEM_BODY.replaceAll("\n", "\\n")}\\n${END}\\n"`, '"[redacted]\\n"'],
	[
		"encrypted",
		`${BEGIN}\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\n${PEM_BODY}\n${END}`,
		"[redacted]",
	],
	["cut off at its end", `a ${BEGIN}\n${PEM_BODY}`, "a [redacted]"],
	["cut off before prose", `${BEGIN}\n${HEX}\n${ALNUM}… then I wrote it.`, "[redacted]… then I wrote it."],
	["cut off at its beginning", `then: ${PEM_BODY}\n${END}\nand on`, "then: [redacted]\nand on"],
	["twice", `${BEGIN}\n${PEM_BODY}\n${END} x ${BEGIN}\n${PEM_BODY}\n${END}`, "[redacted] x [redacted]"],
])("a private key is redacted: %s", (_name, text, expected) => expect(redact(text)).toBe(expected));

describe("base64 of a user and a password", () => {
	const login = Buffer.from("ci-robot:correct-horse-battery").toString("base64");

	// An answer that is stopped while it is written ends anywhere.
	it("is redacted wherever it is truncated", () => {
		for (
			let length = Buffer.from("ci-robot:").toString("base64").length + 1;
			length <= login.length;
			length++
		) {
			const piece = login.slice(0, length);
			for (const text of [`"auth": "${piece}`, `_auth=${piece}`, `Authorization: Basic ${piece}`])
				expect(redact(text)).not.toContain(piece);
		}
	});

	it.each([
		"auth: understanding",
		"basic understanding of it",
		"auth = authentication",
		"Basic authentication is off",
	])("is not what is a word: %s", (text) => expect(redact(text)).toBe(text));
});

describe("for any input", () => {
	const fragment = fc.oneof(
		{ weight: 3, arbitrary: fc.constantFrom(...TOKENS) },
		{ weight: 6, arbitrary: fc.constantFrom(...PLANTED.map(({ text }) => text)) },
		{ weight: 1, arbitrary: fc.constantFrom(BEGIN, END, PEM_BODY, "[redacted]") },
		{
			weight: 3,
			arbitrary: fc.constantFrom(" ", "\n", '"', "'", "=", ":", "@", "/", "\\n", "://", "&", ";"),
		},
		{ weight: 2, arbitrary: fc.constantFrom("password", "token", "Bearer ", "--secret ", "is ", "value") },
		{ weight: 1, arbitrary: hostileText },
	);
	const text = fc.array(fragment, { maxLength: 8 }).map((parts) => parts.join(""));

	it("redacting again changes nothing", () => {
		fc.assert(
			fc.property(text, (input) => {
				const once = redact(input);
				expect(redact(once)).toBe(once);
			}),
			{ numRuns: 2000 },
		);
	});

	it("a token with a known format is redacted between other words", () => {
		fc.assert(
			fc.property(text, fc.constantFrom(...TOKENS), text, (before, token, after) => {
				fc.pre(!(before + after).includes(token)); // Joined to another word, the token may not be a key.
				expect(redact(`${before} ${token} ${after}`)).not.toContain(token);
			}),
			{ numRuns: 1000 },
		);
	});
});

describe("a known secret", () => {
	const known = secretsIn([`DB_PASSWORD=${VALUE}`, 'api_key: "p&S4/w?rD9x"']);

	it.each([
		["in a sentence", `I typed ${VALUE} there.`, "I typed [redacted] there."],
		["in a path", `/tmp/${VALUE}/x`, "/tmp/[redacted]/x"],
		["in quotation marks", `say("${VALUE}")`, 'say("[redacted]")'],
		["behind an escape", `a\\n${VALUE}\\nb`, "a\\n[redacted]\\nb"],
		["in a URL", "x?q=p%26S4%2Fw%3FrD9x", "x?q=[redacted]"],
		["where the text was cut off in its middle", `and then ${VALUE.slice(0, 9)}`, "and then [redacted]"],
		["where the text was clipped in its middle", `and then ${VALUE.slice(0, 9)}…`, "and then [redacted]…"],
	])("is hidden %s", (_where, text, expected) => expect(redact(text, known)).toBe(expected));

	it("is redacted as a whole even if its beginning is known, too", () => {
		const token = fake("eyJhbGciOiJI", "UzI1NiJ9.eyJzdWIiOiIx", "MjM0In0.", VALUE.repeat(3));
		const ends = Array.from({ length: token.length }, (_, length) => token.slice(0, length + 1));
		const stopped = secretsIn([...ends.map((end) => `It logs in with ${end}`), `${token} fails`]);
		expect(redact(`deploy with ${token} fails`, stopped)).toBe("deploy with [redacted] fails");
		expect(hideKnown(`deploy with ${token} fails`, stopped)).toBe("deploy with [redacted] fails");
	});

	it("is not redacted inside a longer word", () =>
		expect(redact(`a${VALUE}b and ${VALUE}b`, known)).toBe(`a${VALUE}b and ${VALUE}b`));

	it("is redacted without its name, even if it was found next to it", () => {
		const text = `use password hunter2x9 and OPENAI_KEY=${VALUE} in prod`;
		expect(redact(`Keep ${VALUE}?`, secretsIn([text]))).toBe("Keep [redacted]?");
	});

	it("is not redacted if it is a word with another meaning", () => {
		const named = [
			"password: root",
			'password="orders2024"',
			"PIN: 4821",
			"SECRET=tiger-lily",
			"TOKEN=9f86d08",
		];
		expect([...secretsIn([...named, "postgres://app:us-east-1@db/x"])]).toEqual([]);
	});

	it("is not found in text without secrets", () =>
		expect(secretsIn(["the password is required", "token: string"]).size).toBe(0));

	it("is redacted among any words", () => {
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

it.each(["\x1b[1m", "\x1b[0;31m", "\\u001b[32m", "\\033[1m", "\\n", "%3D"])(
	"a secret directly after %j is redacted, and so is a known one",
	(sequence) => {
		const key = ["sk-proj", "Zk3vQ9xLm2Pw8RtYb5Nc7HdJf4Gs6KaVe1Uo0IqTzXyWnMlKjHg"].join("-");
		expect(redact(`the log ${sequence}${key} here`)).toBe(`the log ${sequence}[redacted] here`);
		expect(redact(`log ${sequence}Tr0ub4dor-3xQz here`, new Set(["Tr0ub4dor-3xQz"]))).toBe(
			`log ${sequence}[redacted] here`,
		);
	},
);

it("the beginning of a known secret is redacted at the end of a truncated text, also after a delimiter", () => {
	const known = new Set(["Pw1TkHzo2m0fN7sdQ"]);
	expect(redact("postgres://bob:Pw1TkHzo2m0", known)).toBe("postgres://bob:[redacted]");
});
