import { type CommandFact, readCommand, writesInline } from "./commands.ts";
import type { ShellSegment } from "./shell.ts";
import { isChanger, type Step, type Turn } from "./turns.ts";

/** Programs that show something and leave everything as it was. */
const VIEWERS =
	/^(?:cd|pwd|ls|tree|cat|bat|head|tail|less|more|grep|egrep|rg|ag|fd|find|wc|nl|sort|uniq|cut|tr|column|awk|gawk|sed|jq|yq|diff|cmp|file|stat|du|df|which|type|echo|printf|true|false|test|\[|date|env|printenv|id|whoami|hostname|uname|ps|pgrep|lsof|sleep|basename|dirname|realpath|readlink|xxd|hexdump|od|strings|md5sum|sha\d+sum|man|history|wait)$/;
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
	/(?:^|[_.-])(?:send|post|write|create|delete|remove|run|exec\w*|update|set|put|upload|attach|deploy|publish|move|rename)(?:$|[_.-])/i;

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
export function onlyShows({ line, command, changesFiles, isCheck }: CommandFact): boolean {
	if (changesFiles) return false;
	return isCheck || line.segments.every((segment) => shows(segment, command, line));
}

function shows({ words, bare }: ShellSegment, command: string, line: CommandFact["line"]): boolean {
	const verb = words[0] ?? "";
	if (/(?:^|[^0-9&>=-])>{1,2}\s*(?!\/dev\/|&|')[\w./~$-]/.test(bare)) return false;
	if (verb === "find") return !/\s-(?:delete|exec|ok)\b/.test(bare);
	if (VIEWERS.test(verb)) return true;
	if (/^(?:python|node|ruby|perl|deno|bun)[\d.]*$/.test(verb)) return isInlineReader(command, line);
	if (verb === "curl") return !/\s(?:-X\s*(?!GET)|-d\b|--data|-F\b|--form|-T\b|-o\b|-O\b)/.test(bare);
	return LOOKING_VERBS.get(verb)?.test(subcommand(words)) === true;
}

/** `log` of `git -C folder log`, `view` of `gh pr view`. */
function subcommand(words: readonly string[]): string {
	const own = words.filter((word, index) => !word.startsWith("-") && !/^-[cC]$/.test(words[index - 1] ?? ""));
	return own[own[0] === "gh" ? 2 : 1] ?? "";
}

/** A program in a here-document or behind `-c` that neither writes files nor runs others. */
function isInlineReader(command: string, line: CommandFact["line"]): boolean {
	const isInline = /\s-(?:c|e|p)\b|<<|\s-\s*$/.test(command);
	const acts = /\bsubprocess\b|\bos\.system\b|child_process|\bexecSync\b|\.(?:post|put|delete|patch)\(/;
	return isInline && !writesInline(line, command) && !acts.test(command);
}
