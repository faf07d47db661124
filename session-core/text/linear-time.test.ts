import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { clipColumns, clipSentence, displayWidth } from "./clip.ts";
import { replaceEscapes } from "./escapes.ts";
import { fenced } from "./fence.ts";
import { graphemesOf } from "./graphemes.ts";
import { secretsIn } from "./known-secrets.ts";
import { fitsLanguage, languageOf, latinName } from "./language.ts";
import { redact } from "./redact.ts";
import { redactPem } from "./redact-pem.ts";
import { cleanLine, cleanText } from "./sanitize.ts";
import { roughTokens } from "./tokens.ts";
import { headUnits } from "./units.ts";

const SIZE = 65_536;
/** Processor time of the best of a few tries, in ms: other processes only ever add to it. */
const BOUND = 20;
const TRIES = 6;
/** What a plain loop over 16 MB takes where the bound was set, in ms: slower machines get more time. */
const REFERENCE = 20;

const known = new Set(["hunter2x9", "k3J9xQ2mZ7pL5w"]);
const FUNCTIONS: Record<string, (text: string) => unknown> = {
	cleanText,
	cleanLine,
	replaceEscapes: (text) => replaceEscapes(text, ""),
	redact: (text) => redact(text),
	"redact, with known values": (text) => redact(text, known),
	secretsIn: (text) => secretsIn([text]),
	redactPem: (text) => redactPem(text, "x"),
	clipColumns: (text) => clipColumns(text, 80),
	clipSentence: (text) => clipSentence(text, 400),
	displayWidth: (text) => displayWidth(text.slice(0, 2_000)),
	languageOf,
	latinName,
	fitsLanguage: (text) => fitsLanguage(text, { script: "Latin", name: "English" }),
	fenced: (text) => fenced(text, ["recap", "session"]),
	graphemesOf: (text) => graphemesOf(text).next(),
	headUnits: (text) => headUnits(text, 400),
	roughTokens,
};

const ASCII = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).filter(
	(c) => !/[B-Zb-z1-9]/.test(c),
);
const BEYOND = [
	..."\t\n\r\v\f\x00\x1b\x85\xa0\xad\u2003\u2028\u200b\u200d\u202f\u3000\ufeff",
	...["\r\n", "\\n", "\\"],
	..."…‘’“”„«»‹›–—―·•→⇒¿¡§¶°",
	..."、。，．：；！？（）［］｛｝「」『』【】〈〉《》＝＋－／＼｜＂＇｀＠＃＄％＆＊～",
	..."؟،؛۔।॥။፧፨⸮‽❗❓\u0301\ufe0f😀",
];

/** The three characters that follow each other most often in what is said in the corpus. */
function frequentTrigrams(count: number): string[] {
	const root = join(import.meta.dirname, "../../../shared/sessions");
	if (!existsSync(root))
		return ["the", " to", "ing", "ion", "\\n ", "   ", "---", "```", "tes", ".ts", "   ", '":"', '","'];
	const counts = new Map<string, number>();
	for (const path of readdirSync(root, { recursive: true, encoding: "utf8" })) {
		if (!path.endsWith(".jsonl")) continue;
		const text = readFileSync(join(root, path), "utf8").slice(0, 200_000);
		for (let at = 0; at + 3 <= text.length; at++) {
			const trigram = text.slice(at, at + 3);
			counts.set(trigram, (counts.get(trigram) ?? 0) + 1);
		}
	}
	return [...counts]
		.sort((a, b) => b[1] - a[1])
		.slice(0, count)
		.map(([trigram]) => trigram);
}

function repeated(unit: string): string {
	return unit.repeat(Math.ceil(SIZE / unit.length)).slice(0, SIZE);
}

const UNITS = [...ASCII, ...BEYOND].flatMap((character) => [
	character,
	`${character} `,
	` ${character}a`,
	`a${character}`,
]);
const SECRET_UNITS = [
	...[
		"password ",
		"password=",
		'password="',
		"password: ",
		"password is ",
		"token=",
		"secret:'",
		'key="a1',
		"密码：",
		"пароль ",
	],
	...[
		"pw ",
		"pass: x1 ",
		"://",
		"a://b:c",
		"a://b:c@",
		"sk-",
		"eyJ",
		"ghp_",
		"AKIA",
		"Bearer ",
		"Basic ",
		"Cookie: a=b;",
	],
	...[
		"curl -u a:",
		"mysql -p",
		"login -p",
		"echo ",
		"echo a | ",
		"kind: secret\n",
		'"kty"',
		":5432:a:",
		"admin/",
		"user a/b1 ",
	],
	...[
		"password,token\n",
		"|password|a|\n",
		"a,password\n1,2\n",
		"recovery codes ",
		"seed phrase ",
		"a b ",
		"-----BEGIN ",
	],
	...[
		"<password>",
		"--password ",
		"?token=",
		"changed from a1 to b2 password ",
		"hunter2x9 ",
		"hunter2x",
		"x9 password ",
		...["passphrase: a b c d\n", "password was set to ", "user  pass\n", "login(a, ", "?k=", "password: \n"],
	],
];

describe(`${SIZE / 1024} KB of anything is read in ${BOUND} ms`, () => {
	const texts = [...UNITS, ...SECRET_UNITS, ...frequentTrigrams(60)].map((unit) => ({
		unit,
		text: repeated(unit),
	}));

	it.each(Object.entries(FUNCTIONS))(
		"%s",
		(_name, read) => {
			const slow = texts.filter(({ text }) => !isFast(read, text)).map(({ unit }) => unit);
			expect(slow).toEqual([]);
		},
		120_000,
	);
});

const bound = BOUND * Math.max(1, milliseconds(() => sumOf(repeated("reference ").repeat(256))) / REFERENCE);

function sumOf(text: string): number {
	let sum = 0;
	for (let at = 0; at < text.length; at++) sum = (sum + text.charCodeAt(at)) | 0;
	return sum;
}

function milliseconds(work: () => unknown): number {
	const before = process.cpuUsage();
	work();
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1_000;
}

/** Whether one of a few tries stays in the bound. */
function isFast(read: (text: string) => unknown, text: string): boolean {
	for (let attempt = 0; attempt < TRIES; attempt++) if (milliseconds(() => read(text)) <= bound) return true;
	return false;
}
