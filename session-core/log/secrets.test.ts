import { expect, test } from "vitest";
import { offlineRecap } from "../recap/heuristic.ts";
import { recapText } from "../recap/text.ts";
import { atOnce } from "../text/files/pace.ts";
import { secretSteps } from "../text/redact.ts";
import { safeArguments, searchInSlices, secretsOf, textsIn } from "./secrets.ts";
import { slice, timelineOf } from "./timeline/log.test-support.ts";
import { renderTimeline } from "./timeline/render.ts";

/** A fake secret, put together at run time so that no scanner mistakes this file for a leak. */
const SECRET = ["Zq8", "vRt2", "Lm9xW"].join("");

test("a value that was recognized as a secret is redacted everywhere in the session", () => {
	const timeline = timelineOf([
		`> the database password is ${SECRET}, please check why the login fails for it`,
		`$ psql -h db -c 'select 1' # ${SECRET} → 1 passed\nconnected with ${SECRET}`,
		{
			tool: "save_note",
			args: { title: `login works with ${SECRET}`, nested: [{ deep: SECRET }] },
			out: "saved",
		},
		`< It works with ${SECRET} now. Shall I rotate ${SECRET}?`,
	]);
	const recap = offlineRecap(timeline);
	const out = `${renderTimeline(timeline)}\n${recapText(recap)}\n${JSON.stringify(recap)}`;
	expect(out).toContain("[redacted]");
	expect(out).not.toContain(SECRET.slice(0, 6));
});

/** A password that could be a word, so it is redacted only where its place shows what it is. */
const WORD = ["plum", "tree42"].join("");
const LAYOUTS = [
	`password: |\n  ${WORD}`,
	`username,password,role\nbob,${WORD},admin`,
	`| user | password |\n|---|---|\n| app | ${WORD} |`,
	`curl -s \\\n  -u \\\n  admin:${WORD} \\\n  https://example.org`,
	`env:\n  - name: DB_PASSWORD\n    value: "${WORD}"`,
];

test.each(LAYOUTS)(
	"a secret that only the line before it reveals is never shown on its own: %j",
	(layout) => {
		const timeline = timelineOf([
			`> Please look at this.\n${layout}`,
			{ bash: `cat notes <<E\n${layout}\nE`, out: layout },
			`< I found this:\n\n${layout}`,
			{ user: layout },
			{ says: layout },
		]);
		const recap = offlineRecap(timeline);
		const out = `${renderTimeline(timeline)}\n${recapText(recap)}\n${JSON.stringify(recap)}`;
		expect(out).not.toContain(WORD);
	},
);

test.each([
	{ user: "bob", password: WORD },
	{ command: "login", options: { token: WORD } },
	{ env: [{ name: "DB_PASSWORD", value: WORD }] },
])("an argument that its key shows to be a secret is redacted: %j", (args) => {
	const timeline = timelineOf([
		"> Please connect to the database.",
		{ tool: "connect", args, out: "ok" },
		"< It works.",
	]);
	expect(renderTimeline(timeline)).not.toContain(WORD);
	expect(JSON.stringify(safeArguments(args))).not.toContain(WORD);
	expect(safeArguments({ path: "src/a.ts", name: "bob" })).toEqual({ path: "src/a.ts", name: "bob" });
});

test("prompts, replies, arguments and results of calls, and commands are searched for secrets", () => {
	const secrets = [1, 2, 3, 4, 5, 6].map((number) => ["k3J9x", "Q2mZ7pL5w", number].join(""));
	const [asked, said, typed, named, got, ran] = secrets;
	const { entries } = slice(
		`> password: ${asked}`,
		`< The password is ${said}.`,
		`$ DB_PASSWORD=${typed} npm start → SECRET=${got}`,
		{ tool: "login", args: { with: [{ password: named }] } },
		{ ran: "env", out: `DB_PASS=${ran}` },
	);
	expect([...atOnce(secretSteps(textsIn(entries)))].sort()).toEqual(secrets);
});

test("the password in a command's URL is hidden everywhere, unless a path contains the same word", () => {
	const value = ["kl0ster", "9x", "brau3q"].join("-");
	const url = `$ psql postgres://jo:${value}@db.example.com/shop`;
	expect([...secretsOf(slice(url).entries)]).toContain(value);
	expect([...secretsOf(slice(url, `$ ls src/${value}/a.ts`).entries)]).not.toContain(value);
});

test("a large entry is searched once, in slices of at most 4 KB, when its session is opened", async () => {
	const command = `cat > .env <<E\n${"key=\nDB_PASSWORD=".repeat(75_000)}${SECRET}\nE`;
	const { entries } = slice({ bash: command });
	let slices = 0;
	await searchInSlices(entries, { step: async () => void slices++ });
	expect(slices).toBeGreaterThan(command.length / 4096);
	expect(secretsOf(entries)).toContain(SECRET);
	expect(searchInSlices(entries, { step: async () => undefined })).toBeUndefined();
	expect(searchInSlices(slice("> short").entries, { step: async () => undefined })).toBeUndefined();
});

test("arguments that are nested deeply enough to overflow the stack are read, and secrets beside them are redacted", () => {
	const nested = JSON.parse(`${"[".repeat(100_000)}"x"${"]".repeat(100_000)}`);
	expect(safeArguments({ nested })).toEqual({ nested });
	expect(safeArguments({ password: SECRET, nested })).toMatchObject({ password: "[redacted]" });
});
