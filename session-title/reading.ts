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

/**
 * Matches a first line such as `/review src`, which is a slash command. Paths such as `/usr/bin` have a
 * second slash and do not match.
 */
const COMMAND_LINE = /^\s*\/[\p{L}\d][\w:-]*(?=\s|$)[^\n]*/u;
const NEWEST_PROMPTS = 12;

export type TitleReading = ReturnType<typeof readingOf>;

export function readingOf(timeline: Timeline, setting?: string) {
	const prompts = timeline.turns.flatMap(({ request }) => request ?? []);
	const { language, hint } = wantedLanguage(ownLanguage(timeline), setting);
	return {
		stamp: timeline.stamp,
		hasTopic:
			timeline.files.length > 0 || prompts.some((prompt) => isRequest(prompt.replace(COMMAND_LINE, ""))),
		language,
		prompts: [...new Set([...prompts.slice(0, 2), ...prompts.slice(-NEWEST_PROMPTS)])],
		prompt: () => `${inTags("session", titleFacts(timeline))}\n\nTitle this session now. ${hint}`,
	};
}

export function titleInput(source: SessionSource, cwd: string): string {
	return readingOf(readTimeline(walkBranch(source), { cwd })).prompt();
}

/**
 * The maximum number of tokens for facts about the session. The limit keeps a title request, including
 * its instructions, at or below 600 tokens.
 */
const FACT_TOKENS = 335;
const TAIL_CHARACTERS = 1_000;
const LIMITS = {
	...{ task: 280, opening: 160, goal: 180, recorded: 100, files: 400 },
	...{ prompt: 160, reply: 360, earlierReply: 120 },
};
const PROMPTS = 6;
const EARLIER_REPLIES = 2;
const FILES = 7;
const RECENT = 8;

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
	// Some scripts need more tokens per character than others, so a character limit is not sufficient.
	while (estimateTokens(facts) > FACT_TOKENS) facts = headUnits(facts, Math.floor(facts.length * 0.9));
	return facts;
}

/** Removes a Conventional Commits prefix, such as `feat:`. */
function recordedAs({ links }: Timeline): string | undefined {
	const named = links.findLast(({ kind, label }) =>
		kind === "commit" ? label !== "" : / /.test(label.replace(/^(?:PR|issue) #\d+/, "")),
	);
	return named?.label.replace(/^(?:PR|issue) #\d+ /, "").replace(/^\w+(?:\([^)]*\))?!?: /, "");
}

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

/** Quotes a prompt without cutting off the user's words after pasted text. */
function request(label: string, turn: Turn | undefined, characters: number): string {
	return line(label, quoteRequest(safeText(turn?.request ?? ""), characters), characters);
}

/** Text is redacted before it is shortened, because even a part of a key is secret. */
function line(label: string, text: string | undefined, characters: number): string {
	const safe = cleanLine(safeText(text ?? ""));
	return safe === "" ? "" : `${label}: ${headUnits(safe, characters)}`;
}
