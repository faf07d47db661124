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

/** Matches a first line that begins with a slash command. A path does not match, because it has a second slash. */
const COMMAND_LINE = /^\s*\/[\p{L}\d][\w:-]*(?=\s|$)[^\n]*/u;
/** A title is compared with this number of most recent prompts. */
const NEWEST_PROMPTS = 12;

export type TitleReading = ReturnType<typeof readingOf>;

/** `setting` is the user's `language` setting. */
export function readingOf(timeline: Timeline, setting?: string) {
	const prompts = timeline.turns.flatMap(({ request }) => request ?? []);
	const { language, hint } = wantedLanguage(ownLanguage(timeline), setting);
	return {
		stamp: timeline.stamp,
		/** Whether the session may have a topic. The model decides whether it really has one. */
		hasTopic:
			timeline.files.length > 0 || prompts.some((prompt) => isRequest(prompt.replace(COMMAND_LINE, ""))),
		language,
		/** The user's first and newest prompts. A title that copies a prompt is not accepted. */
		prompts: [...new Set([...prompts.slice(0, 2), ...prompts.slice(-NEWEST_PROMPTS)])],
		/** Returns the user message of the request: the facts as data, then the instruction. The message is created only when it is needed. */
		prompt: () => `${inTags("session", titleFacts(timeline))}\n\nTitle this session now. ${hint}`,
	};
}

export function titleInput(source: SessionSource, cwd: string): string {
	return readingOf(readTimeline(walkBranch(source), { cwd })).prompt();
}

/** The maximum number of tokens in the facts. With the instructions, a request has fewer than 600 tokens. */
const FACT_TOKENS = 335;
/** The maximum number of characters in the quoted dialogue. */
const TAIL_CHARACTERS = 1_000;
/** The maximum number of characters for each part of the facts. */
const LIMITS = {
	...{ task: 280, opening: 160, goal: 180, recorded: 100, files: 400 },
	...{ prompt: 160, reply: 360, earlierReply: 120 },
};
const PROMPTS = 6;
const EARLIER_REPLIES = 2;
const FILES = 7;
/** For this number of most recent turns, the files that the agent read are listed, because file names indicate the topic. */
const RECENT = 8;

/**
 * Returns the facts from which a model chooses a title: the task, the latest substantial dialogue, and the files. Messages are clipped at
 * the end, because their beginning usually names the subject.
 */
export function titleFacts(timeline: Timeline): string {
	const current = currentRequest(timeline);
	const larger = largerWork(timeline);
	const head = [
		request("Began with", larger, LIMITS.opening),
		line("Goal", goalText(timeline), LIMITS.goal),
		request("Task", current, LIMITS.task),
		line("Recorded as", recordedAs(timeline), LIMITS.recorded),
	];
	const files = filesLine(timeline);
	let tail = dialogue(timeline, [current, larger]);
	const join = () => [...head, ...tail, files].filter(Boolean).join("\n");
	while (tail.length > 0 && estimateTokens(join()) > FACT_TOKENS) tail = tail.slice(1);
	let facts = join();
	// The character limits alone are not sufficient, because dense scripts need more tokens per character.
	while (estimateTokens(facts) > FACT_TOKENS) facts = headUnits(facts, Math.floor(facts.length * 0.9));
	return facts;
}

/** Returns the title of the newest pull request or commit. A Conventional Commits prefix such as `feat:` is removed. */
function recordedAs({ links }: Timeline): string | undefined {
	const named = links.findLast(({ kind, label }) =>
		kind === "commit" ? label !== "" : / /.test(label.replace(/^(?:PR|issue) #\d+/, "")),
	);
	return named?.label.replace(/^(?:PR|issue) #\d+ /, "").replace(/^\w+(?:\([^)]*\))?!?: /, "");
}

/** Returns the newest substantial requests with their replies, oldest first. `shown` lists turns that the facts already contain. */
function dialogue({ turns }: Timeline, shown: readonly (Turn | undefined)[]): string[] {
	const kept: string[] = [];
	let room = TAIL_CHARACTERS;
	let replies = 0;
	const asked = turns.filter((turn) => turn.request !== undefined);
	for (const turn of asked.slice(-PROMPTS).reverse()) {
		const limit = replies === 0 ? LIMITS.reply : LIMITS.earlierReply;
		const reply = replies > EARLIER_REPLIES ? "" : line("Agent", turn.reply, limit);
		const isNew = !shown.includes(turn) && isRequest(turn.request ?? "");
		const said = isNew ? request("User", turn, LIMITS.prompt) : "";
		if (reply !== "") replies++;
		for (const text of [reply, said].filter(Boolean)) {
			room -= text.length + 1;
			if (room < 0) return kept;
			kept.unshift(text);
		}
	}
	return kept;
}

function filesLine({ files, turns }: Timeline): string {
	const steps = turns.slice(-RECENT).flatMap(stepsOf);
	const reads = steps.flatMap((step) => step.reads);
	const paths = [...files.map(({ path }) => path).reverse(), ...reads.reverse()].map(shortPath);
	return line("Files", [...new Set(paths)].slice(0, FILES).join(", "), LIMITS.files);
}

/** Quotes a request as a recap's input does, so that neither text after a paste nor the arguments of a template are cut off. */
function request(label: string, turn: Turn | undefined, characters: number): string {
	return line(label, quoteRequest(safeText(turn?.request ?? ""), characters), characters);
}

/** Text is redacted before it is joined and clipped: line breaks reveal some secrets, and even part of a key is secret. */
function line(label: string, text: string | undefined, characters: number): string {
	const safe = cleanLine(safeText(text ?? ""));
	return safe === "" ? "" : `${label}: ${headUnits(safe, characters)}`;
}
