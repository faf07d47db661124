import fc from "fast-check";
import { expect, test } from "vitest";
import { EntryCollector } from "../session-core/log/entries.ts";
import { isFromTool } from "../session-core/log/first-writer.ts";
import { linesOf } from "../session-core/log/lines.ts";
import { ClaudeLog, CodexLog } from "../session-core/log/logs.test-support.ts";
import { SessionText } from "../session-core/log/session-text.test-support.ts";
import { type Happening, timelineOf } from "../session-core/log/timeline/log.test-support.ts";
import { renderTimeline } from "../session-core/log/timeline/render.ts";
import { quoteRequest, userWords } from "../session-core/log/user-words.ts";
import { offlineRecap } from "../session-core/recap/heuristic.ts";
import { readQuery } from "../session-core/sessions/search/query.ts";
import { partsWith } from "../session-core/sessions/search/rank.ts";
import { clipColumns, clipSentence, headUnits } from "../session-core/text/clip.ts";
import { atOnce } from "../session-core/text/files/pace.ts";
import { fitsLanguage, languageOf } from "../session-core/text/language.ts";
import { readBlocks } from "../session-core/text/markdown.ts";
import { redact, secretSteps } from "../session-core/text/redact.ts";
import { isVerbatim, readReply } from "../session-core/text/reply.ts";
import { shownLine } from "../session-core/text/safe.ts";
import { cleanLine } from "../session-core/text/sanitize.ts";
import { titleFacts } from "../session-title/reading.ts";

function generate(...happenings: Happening[]): void {
	const timeline = timelineOf(happenings, { cwd: "/code/app" });
	renderTimeline(timeline);
	offlineRecap(timeline);
	titleFacts(timeline);
}

const ASK: Happening = { user: "port the scheduler to the new clock" };
const query = readQuery('"in the end we decided" décision src/a.ts error fooBar');
const ENTRY = { offset: 0, entryId: "a", at: undefined };
const KNOWN = new Set(["hunter2x9", "k3J9xQ2mZ7pL5w"]);
const OUTPUT = (text: string) =>
	new SessionText()
		.bash("cat a", `${text} parser`)
		.lines.slice(1)
		.map((line) => JSON.parse(line));
function convert(log: ClaudeLog | CodexLog): void {
	const collector = new EntryCollector();
	for (const line of linesOf(Buffer.from(String(log)))) collector.add(line);
}

const READERS: Record<string, (text: string) => unknown> = {
	redact,
	secretSteps: (text) => atOnce(secretSteps([text])),
	"redact, with known values": (text) => redact(text, KNOWN),
	"redact, within JSON": (text) =>
		redact(JSON.stringify({ a: JSON.stringify({ password: text, token: text }) })),
	shownLine: (text) => shownLine(text, 100),
	cleanLine,
	"cut lines": (text) => [clipColumns(text, 80), clipSentence(text, 400), headUnits(text, 400)],
	language: (text) => [languageOf(text), fitsLanguage(text, { script: "Latin", name: "English" })],
	readReply,
	isVerbatim: (text) => isVerbatim(text, "run the tests"),
	"first writer": (text) => isFromTool(OUTPUT(text), "run the tests of the parser"),
	readBlocks,
	userWords,
	quoteRequest: (text) => quoteRequest(text, 400),
	request: (text) => generate({ user: text }, { says: "Done." }),
	"prompt in Claude Code": (text) => convert(new ClaudeLog().user(text)),
	"recap in Claude Code": (text) =>
		convert(new ClaudeLog().user("Go").line("system", { subtype: "away_summary", content: text })),
	"prompt in Codex": (text) => convert(new CodexLog().user(text)),
	reply: (text) => generate(ASK, { says: text }),
	"failed command": (text) =>
		generate(ASK, { bash: text, out: text, fails: true }, { says: "", stop: "error", error: text }),
	edit: (text) => generate(ASK, { tool: "edit", args: { path: text }, diff: text }, { says: "Done." }),
	summary: (text) => generate({ entry: { type: "compaction", summary: text } }, ASK, { says: "Done." }),
	"search, in a file": (text) =>
		[query?.patterns, query?.plainPatterns]
			.flatMap((patterns) => patterns ?? [])
			.map((pattern) => pattern.test(Buffer.from(text).toString("latin1"))),
	"search, in an entry": (text) =>
		query && [...partsWith({ ...ENTRY, texts: [{ by: "user", text }], thought: text }, query)],
	readQuery,
};

/** Pieces of text that our patterns match at their beginning, in a repeated part or at their end. */
const PIECES =
	' |\t|\n|\r|"|\'|`|```|? |?\n|？|. |, |- |* |- ?\n|- [ ] a\n|1. |# a\n|> |---\n|+a\n|-a\n|a: b\n|(|)|[|](|{|}|<|<a|</a>|<a-b>|&|=|a=|KEY=|key: |password: |--token |"token":|\\|\\"|\\\\\\"|{"a":|é|é|ß|中|ありですか。|؟ |→|…|😀|\u200b|\u202e|\x1b[|\x1b]0;|a|1|a b |a/b/|a.b.|a-b|aB|1:2 |://|a://b:|@|AbC9+/|eyJ|sk-|%3D|Bearer |-----BEGIN |LS0tLS1CRUdJTi|error: |1 failed |at a:1\n|you |If you want, |please |to continue |i need |请|Next: |[2026-01-01 10:00] |x (untrusted\n|commit |we |\u0301|\u200d|« |&lt;|hunter2x|<password>|?token|Authorization: |cookie: a=b;|xoxb-|SG.aaaaaaaaaaaaaaaa|password=“|token: \'|"""|&quot;|-----END PRIVATE KEY-----|\x1b]|\x9b1;|☺\ufe0f|क्\u200d'.split(
		"|",
	);
/** Characters in the shorter text. The longer one has four times as many. */
const SIZE = 8_000;
/** Processor time in ms that is always accepted, because a short measurement is not exact. */
const FREE_MS = 250;

/** The shortest processor time of several runs in ms, which hardly depends on the load. */
function timeOf(read: (text: string) => unknown, text: string): number {
	let least = Number.POSITIVE_INFINITY;
	for (let run = 0; run < 3 && least > FREE_MS; run++) {
		const before = process.cpuUsage();
		read(text);
		const { user, system } = process.cpuUsage(before);
		least = Math.min(least, (user + system) / 1_000);
	}
	return least;
}

test.each(Object.entries(READERS))("%s takes linear time on any repeated text", (_, read) => {
	const unit = fc
		.array(fc.constantFrom(...PIECES, "|"), { minLength: 1, maxLength: 3 })
		.map((pieces) => pieces.join(""));
	fc.assert(
		fc.property(unit, (text) => {
			const [short, long] = [SIZE, 4 * SIZE].map((size) => text.repeat(Math.ceil(size / text.length)));
			const time = timeOf(read, long ?? "");
			// Quadratic time would be sixteen times as long.
			if (time > FREE_MS) expect(time).toBeLessThan(9 * Math.max(timeOf(read, short ?? ""), FREE_MS / 16));
		}),
		{ numRuns: 50 },
	);
});
