import { isRequest, quoteRequest, type SessionSource, walkBranch } from "../session-core/log/index.ts";
import {
	currentRequest,
	goalText,
	largerWork,
	ownLanguage,
	readTimeline,
	stepsOf,
	type Timeline,
	type Turn,
} from "../session-core/log/timeline/index.ts";
import { wantedLanguage } from "../session-core/pi/index.ts";
import {
	cleanLine,
	estimateTokens,
	headUnits,
	inTags,
	safeText,
	shortPath,
} from "../session-core/text/index.ts";

/** Matches a first line that begins with a slash command, but not one that begins with a path, which has a second slash. */
const COMMAND_LINE = /^\s*\/[\p{L}\d][\w:-]*(?=\s|$)[^\n]*/u;
/** Number of most recent prompts that a title is compared with. */
const NEWEST_PROMPTS = 12;

export type TitleReading = ReturnType<typeof readingOf>;

export function readingOf(timeline: Timeline, setting?: string) {
	const prompts = timeline.turns.flatMap(({ request }) => (request === undefined ? [] : [request]));
	const { language, hint } = wantedLanguage(ownLanguage(timeline), setting);
	return {
		stamp: timeline.stamp,
		/** Whether the session could have a topic. The model decides whether it actually has one. */
		hasTopic:
			timeline.files.length > 0 || prompts.some((prompt) => isRequest(prompt.replace(COMMAND_LINE, ""))),
		/** The language of the title: the language that the user has set or, if none is set, the language of the user's prompts. */
		language,
		/** The user's prompts. A title that copies one of them is not accepted. */
		prompts: [...new Set([...prompts.slice(0, 2), ...prompts.slice(-NEWEST_PROMPTS)])],
		/** Returns the user message for a model. It is built only on demand. */
		prompt: () => titlePrompt(titleFacts(timeline), hint),
	};
}

export function titleInput(source: SessionSource, cwd: string): string {
	return readingOf(readTimeline(walkBranch(source), { cwd })).prompt();
}

/** Maximum number of tokens in the facts. Including the instructions, a request has fewer than 600 tokens. */
const FACT_TOKENS = 335;
/** Maximum number of characters of the dialogue. */
const TAIL_CHARACTERS = 1_000;

/** Character limits of the parts. */
const TASK = 280;
const OPENING = 160;
const GOAL = 180;
const RECORDED = 100;
const PROMPT = 160;
const REPLY = 360;
const EARLIER_REPLY = 120;
const PROMPTS = 6;
const EARLIER_REPLIES = 2;
const FILES = 7;
/** Number of most recent turns whose read files are listed, because file names indicate the topic. */
const RECENT = 8;

/**
 * Returns the facts from which a model chooses a title: the task, the latest substantial dialogue, and the files. Each message is clipped,
 * because its beginning usually names its subject. Messages are redacted before they are clipped, because a clipped secret might not be
 * recognized.
 */
export function titleFacts(timeline: Timeline): string {
	const current = currentRequest(timeline);
	const larger = largerWork(timeline);
	const head = [
		request("Began with", larger, OPENING),
		line("Goal", goalText(timeline), GOAL),
		request("Task", current, TASK),
		line("Recorded as", recordedAs(timeline), RECORDED),
	].filter((text) => text !== "");
	const files = filesLine(timeline);
	let tail = dialogue(timeline, [current, larger]);
	const join = () => [...head, ...tail, files].filter((text) => text !== "").join("\n");
	while (tail.length > 0 && estimateTokens(join()) > FACT_TOKENS) tail = tail.slice(1);
	return headTokens(join(), FACT_TOKENS);
}

/** Returns the title of the newest pull request or commit, without a Conventional Commits prefix such as `feat:`. */
function recordedAs({ links }: Timeline): string | undefined {
	const named = links.findLast(({ kind, label }) =>
		kind === "commit" ? label !== "" : / /.test(label.replace(/^(?:PR|issue) #\d+/, "")),
	);
	return named?.label.replace(/^(?:PR|issue) #\d+ /, "").replace(/^\w+(?:\([^)]*\))?!?: /, "");
}

/**
 * Returns the newest substantial requests with their replies, oldest first. `shown` contains the turns that are already included at the
 * beginning of the facts.
 */
function dialogue({ turns }: Timeline, shown: readonly (Turn | undefined)[]): string[] {
	const kept: string[] = [];
	let room = TAIL_CHARACTERS;
	let replies = 0;
	for (const turn of turns
		.toReversed()
		.filter((one) => one.request !== undefined)
		.slice(0, PROMPTS)) {
		const isLast = replies === 0;
		const reply = replies > EARLIER_REPLIES ? "" : line("Agent", turn.reply, isLast ? REPLY : EARLIER_REPLY);
		const isNew = !shown.includes(turn) && isRequest(turn.request ?? "");
		const said = isNew ? request("User", turn, PROMPT) : "";
		if (reply !== "") replies++;
		for (const text of [reply, said].filter((one) => one !== "")) {
			room -= text.length + 1;
			if (room < 0) return kept;
			kept.unshift(text);
		}
	}
	return kept;
}

function filesLine({ files, turns }: Timeline): string {
	const reads = turns
		.slice(-RECENT)
		.flatMap(stepsOf)
		.flatMap((step) => step.reads);
	const paths = [...files.map(({ path }) => path).reverse(), ...reads.reverse()].map(shortPath);
	return line("Files", [...new Set(paths)].slice(0, FILES).join(", "), 400);
}

/** Quotes a request in the same way as a recap's input, so that neither the text after a paste nor a template's arguments are cut off. */
function request(label: string, turn: Turn | undefined, characters: number): string {
	return line(label, quoteRequest(safeText(turn?.request ?? ""), characters), characters);
}

function line(label: string, text: string | undefined, characters: number): string {
	// The text is redacted before it is joined and clipped, because some secrets are recognized by their line breaks, and even part of a key
	// is secret.
	const safe = cleanLine(safeText(text ?? ""));
	return safe === "" ? "" : `${label}: ${headUnits(safe, characters)}`;
}

/**
 * Shortens the text to at most `tokens` tokens. The character limits are not sufficient, because dense scripts need more tokens per
 * character than these limits assume.
 */
function headTokens(text: string, tokens: number): string {
	let head = text;
	while (estimateTokens(head) > tokens) head = headUnits(head, Math.floor(head.length * 0.9));
	return head;
}

/** Returns the user message: the facts as data, followed by the instruction. `language` is a sentence about the language of the title. */
function titlePrompt(facts: string, language: string): string {
	return `${inTags("session", facts)}\n\nTitle this session now. ${language}`;
}
