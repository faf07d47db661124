import { countWords, headUnits, tailUnits } from "../text/index.ts";

const SKILL = /^\s*<skill\s+name="([^"\n]{1,80})"[^>]{0,400}>[\s\S]*?<\/skill>\s*/;
const INSERTED = "skill file files context attachment document instructions environment example".split(" ");
const COMPOUND_WRAPPER = /<([a-z]{1,40}(?:[-_][a-z]{1,40}){1,6})(\s[^>]{0,400})?>[\s\S]*?(?:<\/\1>|$)/gi;
const FRONT_MATTER = /(^|\n)---[ \t]*\n([\w-]+:[^\n]*\n[\s\S]*?)(\n---|$)[\s\S]*$/;

/** Chat channels insert lines such as `Sender (untrusted metadata):`, followed by a JSON block. */
const CHANNEL_BLOCK =
	/^[^\n(]{1,60} \(untrusted[^)\n]{0,40}\):[ \t]*(?:\n```[a-z]*\n[\s\S]*?(?:\n```|$(?![\s\S]))|[^\n]*)[ \t]*\n*/gm;
/**
 * Chat channels put a date before a message, such as `[Mon 2026-04-13 20:42 GMT+8]`. In some channels,
 * the sender's name comes first.
 */
const CHANNEL_DATE = /^\[[^\]\n]{0,120}\b\d{4,6}-\d{2}-\d{2}[ T]\d{2}:\d{2}[^\]\n]{0,24}\][ \t]*/gm;
const CHANNEL_LINE =
	/^(?:\[(?:Queued messages while|media attached|message_id|image data removed|User sent an? )[^\]\n]*\]|---\nQueued #\d+|System: \[\d{4}-[^\n]*|Return your summary [^\n]*|\[\[reply_to[^\]\n]*\]\]|To send an image back, [^\n]*|Current time: [^\n]*)[ \t]*\n?/gm;
/** The chat service Feishu puts the sender's id before each message. */
const SENDER_ID = /^ou_[0-9a-f]{32}: /gm;
/** Subagent extensions prepend fixed text to each task and append instructions on how to answer. */
const DELEGATION = /^\s*Task: You are a (?:delegated )?sub-?agent\b[\s\S]*?\bTask: /i;
const EXPECTED_OUTPUT = /^(\s*Task: [\s\S]*?)\s-{3,}\s+Output:[\s\S]*$/;
const SENT_BY_HOST =
	/^(?:\[cron:|\[Subagent Context\]|A new session was started via \/\w+|\(session bootstrap\)|Read HEARTBEAT\.md |Pre-compaction memory flush\b|OpenClaw runtime context \(internal\))/;
/** A line that contains only a path or a URL is treated as an attachment, not as the user's words. */
const BARE_LOCATOR = /^['"]?(?:~?\/|[A-Za-z]:\\|https?:\/\/|file:\/\/)[^\n]*?\.?\w+['"]?$/;

const LAUNCHED =
	/(?:^|\n)Complete your task(?: autonomously\.|\. When finished, call the subagent_done tool\.)[^\n]*\n\n/;
const REPORT = "\n\nYour FINAL assistant message ";

function launchedTask(raw: string): string | undefined {
	const launched = LAUNCHED.exec(raw);
	const start = launched ? launched.index + launched[0].length : raw.length;
	const end = raw.indexOf(REPORT, start);
	return end < 0 ? undefined : raw.slice(start, end);
}

export function isDelegated(raw: string): boolean {
	return (
		DELEGATION.test(raw) ||
		EXPECTED_OUTPUT.test(raw) ||
		/^\s*\[Subagent Context\]/.test(raw) ||
		launchedTask(raw) !== undefined
	);
}

export function userWords(prompt: string): { text: string; expansion: string | undefined } {
	const raw = isDelegated(prompt)
		? (launchedTask(prompt) ?? prompt)
				.replace(DELEGATION, "")
				.replace(EXPECTED_OUTPUT, "$1")
				.replace(/^\s*Task: /, "")
		: prompt;
	const skill = SKILL.exec(raw);
	let expansion = skill?.[1];
	let text = withoutInserted(skill ? raw.slice(skill[0].length) : raw)
		.replace(COMPOUND_WRAPPER, "")
		.replace(FRONT_MATTER, (_, before: string, head: string) => {
			expansion ??= head.match(/^name:\s*["']?([^\n"']{1,80})/m)?.[1]?.trim();
			return before;
		});
	text = [CHANNEL_BLOCK, CHANNEL_LINE, CHANNEL_DATE, SENDER_ID]
		.reduce((rest, added) => rest.replace(added, ""), text)
		.trim();
	if (SENT_BY_HOST.test(text)) return { text: "", expansion };
	const lines = text.split("\n");
	const words = lines.filter((line) => !isBareLocator(line.trim()));
	const own = words.some((line) => line.trim() !== "") ? words.join("\n").trim() : text;
	return { text: own, expansion };
}

/**
 * The search for tags stops at the last closing tag, so that it takes linear time. A prompt can contain
 * megabytes of pasted text.
 */
function withoutInserted(text: string): string {
	if (!text.includes("</")) return text;
	return INSERTED.reduce((rest, name) => {
		const end = rest.lastIndexOf(`</${name}>`) + name.length + 3;
		if (end < name.length + 3) return rest;
		const element = new RegExp(`<${name}(?:\\s[^>]{0,400})?>[\\s\\S]*?</${name}>`, "g");
		return rest.slice(0, end).replace(element, "") + rest.slice(end);
	}, text);
}

function isBareLocator(line: string): boolean {
	if (line.length > 400 || !BARE_LOCATOR.test(line)) return false;
	return /^['"]/.test(line) || !/\s/.test(line);
}

export function isSlashCommand(text: string): boolean {
	return /^\/[\w:-]*$/.test(text.trim());
}

const LEAST_REQUEST_WORDS = 3;

/**
 * Returns false for prompts that are unclear on their own: one or two words, a command, a path or a
 * URL.
 */
export function isRequest(text: string): boolean {
	return !isSlashCommand(text) && !isBareLocator(text.trim()) && countWords(text) >= LEAST_REQUEST_WORDS;
}

/**
 * Matches lines that look like terminal output, a log or a file. A person may also write such a line, so a
 * single match proves nothing.
 */
const MACHINE_LIKE =
	/^(?: +(?![-*\d])\S|\t\s*\S|[│┌└├─═╭╰|>+{}[\]]|\s*at .+[:)]|.*(?:➜|❯).*|\$ \w.*|(?:\([\w.-]{1,60}\) )?[\w.-]{1,60}@[\w.-]{1,60}\S*[$%#] .*|[A-Z]\w*Error\b|\/\/ |\/\*|[+-] +\d+ |Error:|Traceback|\d+ [|│]|"[\w-]+":)|[│┃║]|⠇|\x1b/;
const PASTED_LINES = 3;
/** The minimum length, in characters, of a line that a terminal may have wrapped. */
const WRAPPED = 70;
const TYPED = 1_500;
const WRITTEN_LINES = 400;

function unfencedLines(text: string): string[] {
	const unfenced = text.replace(/```[\s\S]*?(?:```|$)/g, "\n");
	return unfenced.split("\n", WRITTEN_LINES).filter((line) => line.trim() !== "");
}

/**
 * Drops pasted text, such as fenced code blocks, very long lines, and groups of lines that look like
 * terminal output. Always keeps the first line, because it usually shows what the request is about.
 */
export function writtenLines(text: string): string[] {
	const written = unfencedLines(text);
	const isQuote = written.every((line) => /^\s*>/.test(line));
	const [first = "", second = ""] = written;
	const isWrapped = first.length > WRAPPED && !/[.:?!;]\s*$/.test(first) && /^\s+\p{Ll}/u.test(second);
	const lines = written.map((line) =>
		isQuote || isWrapped ? line.trim().replace(isQuote ? /^> ?/ : "", "") : line,
	);
	const isMachineLike: boolean[] = [];
	for (const line of lines) {
		const isListed = isMachineLike.at(-1) === true && /^ +[-*\d]/.test(line);
		isMachineLike.push(isListed || MACHINE_LIKE.test(line));
	}
	const isPasted = (at: number): boolean => {
		const end = isMachineLike.indexOf(false, at);
		const length = (end < 0 ? lines.length : end) - isMachineLike.lastIndexOf(false, at) - 1;
		return length >= PASTED_LINES;
	};
	return lines.filter((line, at) => at === 0 || (line.length < TYPED && !isPasted(at)));
}

const QUOTABLE = 24;
const LOG_BOUND = 24_000;

export function ownLine(request: string, log: () => readonly string[]): string {
	const written = writtenLines(request);
	const logged = written.length > 1 ? log().map((text) => bare(text.slice(0, LOG_BOUND))) : [];
	const isQuoted = (line: string): boolean =>
		line.length >= QUOTABLE && logged.some((text) => text.includes(bare(line)));
	const says = (lines: readonly string[]): boolean => countWords(lines.join(" ")) >= LEAST_REQUEST_WORDS;
	const own = written.filter((line) => !isQuoted(line));
	const isPasted = own.length < unfencedLines(request).length;
	const isKept = (line: string): boolean =>
		says([line]) || (line === written[0] && own.length === written.length);
	const sentences = isPasted ? own.filter(isKept) : [];
	const kept = withoutLabels(
		[failureIn(request), sentences, own, written].find(says) ?? request.split("\n", WRITTEN_LINES),
	);
	return joinLines(kept).replace(/[│┃║]+/g, " ");
}

const PROMPT = /➜|❯|^\$ \w|^(?:\([\w.-]{1,60}\) )?[\w.-]{1,60}@[\w.-]{1,60}.*[$%#](?: |$)/;
export const isTerminal = (text: string) => PROMPT.test(text.trimStart().split("\n", 1)[0] ?? "");
const FAILURE = /^\s*(?:\w*Error|\w*Exception|fatal|panic)\b.*/;

function failureIn(request: string): string[] {
	const lines = request.trim().split("\n", WRITTEN_LINES);
	const isTerminal = lines.slice(0, 2).some((line) => PROMPT.test(line));
	const isOwn = countWords(lines.at(-1) ?? "") > LEAST_REQUEST_WORDS;
	return isTerminal && !isOwn ? lines.filter((line) => FAILURE.test(line)).slice(0, 1) : [];
}

/** Headings with at most this many words, such as `## Research Plan`, may be ignored. */
const LABEL_WORDS = 2;
const AMPLE_WORDS = 9;

function withoutLabels(lines: readonly string[]): readonly string[] {
	const said = lines.filter((line) => !/^#{1,6} /.test(line) || countWords(line) > LABEL_WORDS);
	return countWords(said.join(" ")) >= AMPLE_WORDS ? said : lines;
}

function bare(text: string): string {
	return text.replace(/[`*]|^[\s>-]+/gm, "").trim();
}

/**
 * Shortens a request. Drops pasted text first and then the middle, because a request usually states its
 * goal at the beginning or at the end.
 */
export function quoteRequest(text: string, room: number): string {
	const whole = joinLines(text.split("\n", WRITTEN_LINES));
	if (whole.length <= room) return whole;
	const written = joinLines(writtenLines(text));
	const kept = countWords(written) >= LEAST_REQUEST_WORDS ? written : whole;
	if (kept.length <= room) return kept;
	const tail = Math.floor(room * 0.35);
	return `${headUnits(kept, room - tail - 1)} ${tailUnits(kept, tail)}`;
}

const ITEM = /^(?:[*•>]|[-=–—]+|#{1,6})\s+/;

function joinLines(lines: readonly string[]): string {
	let text = "";
	let before = "";
	for (const line of lines.map((raw) => raw.trim())) {
		const words = line.replace(ITEM, "").replace(/\s+/g, " ");
		if (words === "") continue;
		const isWrapped = before.length > 60 && /^\p{Ll}/u.test(line);
		const isClosed = isWrapped || text === "" || /^[\p{P}\p{S}]$/u.test(text.slice(-1));
		const mark = ITEM.test(line) && !ITEM.test(before) ? ":" : ";";
		text += `${isClosed ? "" : mark} ${words}`;
		before = line;
	}
	return text.trim();
}
