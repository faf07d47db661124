import { writesInline } from "./changing.ts";
import { isOnlyCheck } from "./checks.ts";
import { type CommandFact, readCommand } from "./commands.ts";
import type { ShellSegment } from "./shell.ts";
import { isChanger, type Step, type Turn } from "./turns.ts";

/** Programs that show something and leave everything as it was. */
const VIEWERS =
	/^(?:cd|pwd|ls|tree|cat|bat|head|tail|less|more|grep|egrep|rg|ag|find|wc|nl|uniq|cut|tr|column|sed|jq|diff|cmp|file|stat|du|df|which|type|echo|printf|true|false|test|\[|date|env|printenv|id|whoami|hostname|uname|ps|pgrep|lsof|sleep|basename|dirname|realpath|readlink|xxd|hexdump|od|strings|md5sum|sha\d+sum|man|history|wait)$/;
/** What of a program with many verbs only looks. */
const LOOKING_VERBS: ReadonlyMap<string, RegExp> = new Map([
	[
		"git",
		/^(?:status|log|diff|show|blame|rev-parse|rev-list|remote|ls-files|ls-tree|cat-file|describe|reflog|shortlog|grep|fetch|merge-base)$/,
	],
	["gh", /^(?:view|list|diff|checks|status)$/],
	["npm", /^(?:ls|list|view|info|outdated|why|search)$/],
	["docker", /^(?:ps|images|logs|inspect)$/],
	["tmux", /^(?:capture-pane|list-\w+|display-message)$/],
]);
/** Tools of other makers that sound as if they only looked. */
const LOOKING_TOOL =
	/(?:^|[_.-])(?:read|view|open|cat|ls|list|find|glob|grep|search|fetch|get|show|query|browse|inspect|describe|lookup|status|think|todo|plan|ask|symbols?)(?:$|[_.-])/i;
const ACTING_TOOL =
	/(?:^|[_.-])(?:send|post|write|create|delete|remove|run|exec\w*|update|set|put|upload|attach|deploy|publish|move|rename|edit|replace|insert|apply|install|merge|append|open_p\w*)(?:$|[_.-])/i;

/** Whether anything in a turn may have changed something, anywhere. */
export function actedIn(turn: Turn): boolean {
	return turn.steps.some((step) => {
		const fact = readCommand(step);
		return fact ? fact.outcome === "ok" && !onlyShows(fact) : !onlyLooks(step);
	});
}

/** Whether a tool call that is no shell command leaves everything as it was: a change without a result, or with an error, is none. */
export function onlyLooks({ call, result }: Step): boolean {
	if (isChanger(call.name)) return result === undefined || result.isError;
	return LOOKING_TOOL.test(call.name) && !ACTING_TOOL.test(call.name);
}

/** Whether a command line leaves everything as it was. Checks count as looking: what they build is not what was asked for. */
export function onlyShows({ line, command, changesFiles }: CommandFact): boolean {
	// What is substituted runs, too.
	if (changesFiles || /\$\(|`/.test(command)) return false;
	return line.segments.every((segment) => isOnlyCheck(segment.words) || shows(segment, command, line));
}

function shows({ words, bare }: ShellSegment, command: string, line: CommandFact["line"]): boolean {
	const verb = words[0] ?? "";
	if (/(?<![=-])>{1,2}\s*(?!\/dev\/|&\s*\d)/.test(bare)) return false;
	if (verb === "find") return !/\s-(?:delete|exec|ok|fprint|fls)/.test(bare);
	if (verb === "sort" || verb === "awk" || verb === "gawk")
		return !/\s-(?:o|i)\b/.test(bare) && !/system|>/.test(command);
	if (VIEWERS.test(verb)) return true;
	if (/(?:^|\/)(?:python|node|ruby|perl|deno|bun)[\d.]*$/.test(verb))
		return isInlineReader(words, bare, command, line);
	if (verb === "curl")
		return !/\s(?:-\w*[XdFToO]|--(?:request|data|json|form|upload-file|output|remote-name))/.test(bare);
	if (verb === "git" && /\s(?:--output|remote\s+(?!-v|show|get-url)\w|fetch\s+\S+\s+\S*:)/.test(bare))
		return false;
	return LOOKING_VERBS.get(verb)?.test(subcommand(words)) === true;
}

/** `log` of `git -C folder log`, `view` of `gh pr view`. */
function subcommand(words: readonly string[]): string {
	const own = words.filter((word, index) => !word.startsWith("-") && !/^-[cC]$/.test(words[index - 1] ?? ""));
	return own[own[0] === "gh" ? 2 : 1] ?? "";
}

/** A program in a here-document or behind `-c` that neither writes files nor runs others. */
function isInlineReader(
	words: readonly string[],
	bare: string,
	command: string,
	line: CommandFact["line"],
): boolean {
	const isInline =
		/^-(?:[cep]|$)/.test(words[1] ?? "") || (bare.includes("<<") && !/^[\w./]/.test(words[1] ?? ""));
	return isInline && !writesInline(line, command) && !ACTS.test(command);
}

/** Calls by which an inline program changes files, data bases or what is elsewhere. */
const ACTS =
	/\bsubprocess\b|\bos\.(?:system|unlink|remove|rename|replace|makedirs|mkdir|rmdir|chmod)\b|\bshutil\b|child_process|\bexec(?:Sync|File)?\(|\b(?:rm|unlink|append|copy|rename|mkdir|cp|write|truncate)\w*(?:Sync)?\(|\.(?:unlink|rename|mkdir|rmdir|touch|save|to_\w+|commit|execute\w*|delete\w*|create\w*|update\w*|insert\w*|post|put|patch|send\w*|write\w*)\(|method:\s*["']/i;
