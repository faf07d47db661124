/** Decides from the names of programs and tools which calls are read-only. Unknown programs are assumed to change something. */
import { parseShell, type ShellLine, type ShellSegment } from "./shell-grammar.ts";

/** Read-only programs. */
const VIEWERS =
	/^(?:cd|pwd|ls|tree|cat|bat|head|tail|less|more|grep|egrep|rg|ag|fd|wc|nl|sort|uniq|cut|tr|column|jq|diff|cmp|file|stat|du|df|which|type|echo|printf|true|false|test|\[|date|env|printenv|id|whoami|hostname|uname|ps|pgrep|lsof|sleep|basename|dirname|realpath|readlink|xxd|hexdump|od|strings|md5sum|sha\d+sum|man|history|wait|awk|sed|find|xargs)$/;
/** The read-only subcommands of programs that have many subcommands. */
const LOOKING_VERBS: ReadonlyMap<string, RegExp> = new Map([
	[
		"git",
		/^(?:status|log|diff|show|blame|rev-parse|rev-list|remote|ls-files|ls-tree|cat-file|describe|reflog|shortlog|grep|fetch|merge-base|branch)$/,
	],
	["gh", /^(?:view|list|diff|checks|status)$/],
	["npm", /^(?:ls|list|view|info|outdated|why|search)$/],
	["docker", /^(?:ps|images|logs|inspect)$/],
	["tmux", /^(?:capture-pane|list-\w+|display-message)$/],
]);

/** Whether a command line is read-only. */
export function onlyLooks({ segments }: ShellLine): boolean {
	return segments.every(looks);
}

function looks({ words, bare }: ShellSegment): boolean {
	const verb = words[0] ?? "";
	if (/(?<![=-])>{1,2}\s*(?!\/dev\/|&\s*\d)/.test(bare)) return false;
	if (verb === "find") return !/\s-(?:delete|exec|ok|fprint|fls)/.test(bare);
	if (verb === "sed") return !/\s-\w*i/.test(bare);
	if (verb === "xargs") return VIEWERS.test(words.slice(1).find((word) => !word.startsWith("-")) ?? "");
	if (VIEWERS.test(verb)) return true;
	return LOOKING_VERBS.get(verb)?.test(subcommand(words)) === true;
}

/** Returns the subcommand: `log` in `git -C folder log`, and `view` in `gh pr view`. */
function subcommand(words: readonly string[]): string {
	const own = words.filter((word, index) => !word.startsWith("-") && !/^-[cC]$/.test(words[index - 1] ?? ""));
	return own[own[0] === "gh" ? 2 : 1] ?? "";
}

/** Returns git's subcommands in a command line. `isChained`: the next command runs only if this one succeeds. */
export function gitVerbs(command: string): { verb: string; isChained: boolean }[] {
	if (!command.includes("git")) return [];
	return parseShell(command).segments.flatMap((segment) =>
		segment.words[0] === "git" ? [{ verb: subcommand(segment.words), isChained: segment.next === "&&" }] : [],
	);
}

/**
 * Whether a command reports its result through its exit status. For example, a search without matches, or a comparison that finds a
 * difference, exits with status 1 although it did not fail.
 */
export function answersByStatus({ segments }: ShellLine): boolean {
	const last = segments.at(-1)?.words ?? [];
	return /^(?:e?grep|rg|ag|fd|diff|cmp|test|\[|pgrep|which|type|git)$/.test(last[0] ?? "")
		? last[0] !== "git" || /^(?:diff|grep)$/.test(subcommand(last))
		: false;
}

const LOOKING_TOOL =
	/(?:^|[_.-])(?:read|view|open|cat|ls|list|find|glob|grep|search|fetch|get|show|query|browse|inspect|describe|lookup|status|think|todo|todos|todowrite|plan|symbols?|poll|wait)(?:$|[_.-])/i;
const ACTING_TOOL =
	/(?:^|[_.-])(?:send|post|write|create|delete|remove|run|exec\w*|update|set|put|upload|attach|deploy|publish|move|rename|edit|replace|insert|apply|install|merge|append|save|commit)(?:$|[_.-])/i;

/** Whether the name of a tool suggests that it is read-only. Only for tools that are neither shells nor editors. */
export function isLookingTool(name: string): boolean {
	return LOOKING_TOOL.test(name) && !ACTING_TOOL.test(name);
}
