import type { Random } from "./random.ts";

/** A secret in a prompt, output or file, and the part of it that must not be shown. */
export interface Planted {
	kind: string;
	text: string;
	core: string;
}

const LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789";
const HEX = "0123456789abcdef";

/** One of each kind, assembled here so that no file of the project contains anything like a key. */
export function plant(random: Random): Planted[] {
	const word = (length: number, from = LETTERS) =>
		Array.from({ length }, () => from[Math.floor(random() * from.length)] ?? "").join("");
	const secret = (kind: string, core: string, text: (core: string) => string): Planted => ({
		kind,
		core,
		text: text(core),
	});
	const join = (...parts: string[]) => parts.join("");
	const begin = (label: string) => `${"-".repeat(5)}BEGIN ${label}${"-".repeat(5)}`;
	const end = (label: string) => `${"-".repeat(5)}END ${label}${"-".repeat(5)}`;
	const pem = "RSA PRIVATE KEY";
	const base64 = (text: string) => Buffer.from(text).toString("base64");
	return [
		secret("an Anthropic key", word(90), (core) => join("sk-", "ant-", "api03-", core, "-AA")),
		secret("an OpenAI key", word(48), (core) => join("OPENAI_KEY=", "sk-", "proj-", core)),
		secret("a GitHub token", word(36), (core) => join("gh", "p_", core)),
		secret("an AWS secret", word(40), (core) => join("AWS_SECRET_", "ACCESS_KEY=", core)),
		secret("a JWT", word(43), (core) =>
			join("eyJhbGciOiJIUzI1NiJ9", ".", "eyJzdWIiOiIxMjM0NTY3ODkwIn0", ".", core),
		),
		secret("a private key", word(64), (core) => join(begin(pem), "\n", core, "\n", end(pem))),
		secret("a password in an address", word(14), (core) =>
			join("postgres://shop:", core, "@db.internal/shop"),
		),
		secret("a bearer token", word(32, HEX), (core) => join("Authorization: ", "Bearer ", core)),
		secret("curl's password", `${word(4)}7!${word(5)}`, (core) =>
			join("curl -u ops:", core, " https://example.com/"),
		),
		// The user name, whose base64 ends where the password's begins, is not secret.
		secret("docker's login", base64(word(21)), (core) =>
			join('"auth"', ': "', base64("ci-robot:"), core, '"'),
		),
	];
}

/** The kinds of secrets in a text, even if clipped at either end or split by whitespace. */
export function leaksIn(text: string, planted: readonly Planted[]): string[] {
	const dense = text.replace(/\s+/g, "");
	return planted
		.filter(({ core }) => dense.includes(core.slice(0, 10)) || dense.includes(core.slice(-10)))
		.map(({ kind }) => kind);
}
