import { baseName, clipColumns, cutAtClause, isBalanced, type PathNamer } from "../../text/index.ts";

export interface ShellLine {
	folder: string | undefined;
	segments: {
		/**
		 * The words of a shell command, without quotation marks, assignments and wrappers such as `sudo`. A
		 * quoted string that contains spaces is replaced by `''`.
		 */
		words: string[];
		bare: string;
		/**
		 * True if the command is certain to have run and a failure would be visible in the exit status or the
		 * output.
		 */
		isCertain: boolean;
		isPiped: boolean;
	}[];
}

/**
 * The maximum length of a command line in characters. A longer command line probably contains a
 * here-document, so the rest is not read.
 */
const BOUND = 3_000;
const WORDS = 48;
/** The body of a here-document is data, not commands. */
const HERE_DOC = /((?<!<)<<(?!<)-?\s*(['"]?)(\w+)\2[^\n]*)\n[\s\S]*?(?:\n[ \t]*\3(?=\n|$)|$)/g;
const TOKEN =
	/\\[\s\S]|"(?:\\[\s\S]|[^"\\])*"?|'[^']*'?|`[^`]*`?|(?<![^\s;&|])#[^\n]*|&&|\|\|?|(?<!>)&(?!>)|[;\n]/g;
/**
 * Matches the beginning of a shell block. The commands in a block may never run, unless the block is a
 * `for` loop.
 */
const BLOCK = /^(?:if|case|while|until|for)$/;
const BLOCK_END = /^(?:fi|esac|done)$/;
const TEST = /^(?:\[\[?|test)$/;
const WRAPPER = /^(?:[A-Za-z_]\w*=.*|sudo|time|env|command|exec|nohup|then|else|do|if|while|until|!|\{)$/;

function withoutHereDocs(command: string, by = ""): string {
	return command.includes("<<") ? command.replace(HERE_DOC, `$1${by}`) : command;
}

export function parseShell(command: string): ShellLine {
	const line = withoutHereDocs(command).slice(0, BOUND);
	const parts: { part: string; before: string; after: string }[] = [];
	let start = 0;
	let before = "";
	for (const { 0: token, index } of line.matchAll(TOKEN)) {
		if (!/^[&|;\n#]/.test(token)) continue;
		parts.push({ part: line.slice(start, index), before, after: token });
		start = index + token.length;
		before = token;
	}
	parts.push({ part: line.slice(start), before, after: "" });
	const blocks: string[] = [];
	let isTest = false;
	const segments = parts.flatMap(({ part, before, after }) => {
		const bare = part
			.trim()
			.replace(/"[^"]*"|'[^']*'/g, (text) => (/\s/.test(text) ? "''" : text.slice(1, -1)));
		const words = bare.replace(/^[({\s]+/, "").split(/\s+/, WORDS);
		const nest = (word = "") => {
			if (BLOCK.test(word)) blocks.push(word);
			if (BLOCK_END.test(word)) blocks.pop();
		};
		nest(words[0]);
		while (WRAPPER.test(words[0] ?? "")) {
			words.shift();
			nest(words[0]);
		}
		if (words[0] === "timeout")
			words.splice(
				0,
				words.findIndex((word, at) => at > 0 && /^[^\d-]/.test(word)),
			);
		if (bare === "") return [];
		const depends = blocks.some((word) => word !== "for") || before === "||" || (before === "&&" && isTest);
		const isHidden = after === "||" || (after !== "" && /(?:2|&)>{1,2}\s*\/dev\/null/.test(bare));
		isTest = TEST.test(words[0] ?? "");
		return [{ words, bare, isCertain: !depends && !isHidden, isPiped: after === "|" }];
	});
	const [first, folder] = segments[0]?.words ?? [];
	const [, , quoted] = /^\s*cd\s+(["'])([^"'$`]+)\1\s*$/.exec(parts[0]?.part ?? "") ?? [];
	return { folder: first === "cd" ? (quoted ?? folder) : undefined, segments };
}

const VIEWERS =
	/^(?:cd|pwd|ls|tree|cat|bat|head|tail|less|more|grep|egrep|rg|ag|fd|wc|nl|sort|uniq|cut|tr|column|jq|diff|cmp|file|stat|du|df|which|type|echo|printf|true|false|test|\[|date|env|printenv|id|whoami|hostname|uname|ps|pgrep|lsof|sleep|basename|dirname|realpath|readlink|xxd|hexdump|od|strings|md5sum|sha\d+sum|man|history|wait|awk|sed|find|xargs)$/;
const CMDLETS =
	/^(?:(?:get|select|where|sort|measure|test|resolve|compare)-[a-z]+|format-(?:table|list)|write-(?:host|output)|set-location|gc|gci|sls|dir|findstr)$/i;
const LOOKING =
	/^(?:git (?:status|log|diff|show|blame|rev-parse|rev-list|remote|ls-files|ls-tree|cat-file|describe|reflog|shortlog|grep|fetch|merge-base|branch)|gh \S+ (?:view|list|diff|checks|status)|npm (?:ls|list|view|info|outdated)|docker (?:ps|images|logs|inspect))(?: |$)/;

export function onlyLooks({ segments }: ShellLine): boolean {
	return segments.every(({ words, bare }) => {
		const [program = "", ...rest] = words;
		if (words.length === 0) return true;
		if (/(?<![=-])>{1,2}\s*(?!\/dev\/|&\s*\d)/.test(bare)) return false;
		if (program === "find") return !/\s-(?:delete|exec|ok|fprint|fls)/.test(bare);
		if (program === "sed") return !/\s-\w*i/.test(bare);
		if (program === "xargs") return isViewer(rest.find((word) => !word.startsWith("-")));
		return isViewer(program) || LOOKING.test(withoutOptions(words));
	});
}

function isViewer(program = ""): boolean {
	return VIEWERS.test(program) || CMDLETS.test(program);
}

function withoutOptions(words: readonly string[]): string {
	return words.filter((word, at) => !word.startsWith("-") && !/^-[cC]$/.test(words[at - 1] ?? "")).join(" ");
}

/**
 * A pipeline returns the exit status of its last command, so only the output can show an earlier
 * failure.
 */
export function hidesStatus({ segments }: ShellLine): boolean {
	return segments.some(
		(segment) => segment.isPiped && !onlyLooks({ folder: undefined, segments: [segment] }),
	);
}

/**
 * Returns true for a command whose exit status is an answer rather than an error. For example, the exit
 * status 1 of a search means that nothing was found.
 */
export function answersByStatus({ segments }: ShellLine): boolean {
	const last = withoutOptions(segments.at(-1)?.words ?? []);
	return /^(?:e?grep|rg|ag|fd|diff|cmp|test|\[|pgrep|which|type|git (?:diff|grep))(?: |$)/.test(last);
}

const LOOKING_TOOL =
	/(?:^|[_.-])(?:read|view|open|cat|ls|list|find|glob|grep|search|fetch|get|show|query|browse|inspect|describe|lookup|status|think|todo|todos|todowrite|plan|symbols?|poll|wait)(?:$|[_.-])/i;
const ACTING_TOOL =
	/(?:^|[_.-])(?:send|post|write|create|delete|remove|run|exec\w*|update|set|put|upload|attach|deploy|publish|move|rename|edit|replace|insert|apply|install|merge|append|save|commit)(?:$|[_.-])/i;

export function isLookingTool(name: string): boolean {
	return LOOKING_TOOL.test(name) && !ACTING_TOOL.test(name);
}

const NAMED = /[^\s/.]\.\w+$/;

export function shellWrites({ folder, segments }: ShellLine, output: string, name: PathNamer) {
	return segments.flatMap(({ words, bare, isCertain }, at) => {
		if (!isCertain) return [];
		const program = words[0] === "git" ? words[1] : words[0];
		const kind: "edited" | "written" = program === "sed" ? "edited" : "written";
		const copies = /^(?:cp|mv)$/.test(program ?? "") && words.length > 2;
		const isLast = copies || program === "tee" || (program === "sed" && /\s-\w*i/.test(bare));
		const [from = "", to] = words.slice(-2);
		if (copies && !isPath(to)) return [];
		const target = copies && to && !NAMED.test(to) ? `${to.replace(/\/$/, "")}/${baseName(from)}` : to;
		const path = isLast ? target : /(?:^|[^0-9&>])>{1,2}\s*([\w./~-]+)/.exec(bare)?.[1];
		if (!path || /^(?:\/dev\/|\/tmp\/|&|-|\$|\/var\/folders\/)/.test(path) || !NAMED.test(path)) return [];
		if ([path, ...(copies ? [from] : [])].some((file) => failsIn(output, file, program))) return [];
		if (segments.slice(at + 1).some((later) => later.words[0] === "rm" && later.words.includes(path)))
			return [];
		return [{ path: name(inFolder(folder, path)), kind }];
	});
}

/**
 * Matches the program name before an error message: `zsh:11: `, `/bin/sh: 1: `, `bash: line 3: `, `cp:
 * `.
 */
const MESSAGE = /^(?:\S*\/)?([\w.-]+):(?:\s*(?:line )?\d+:)?\s/;
const SHELL = /^-?(?:ba|z|da|k|mk|fi)?sh$/;

function failsIn(output: string, path: string, program = ""): boolean {
	const name = baseName(path);
	return output.split("\n", OUTPUT_LINES).some((line) => {
		const by = MESSAGE.exec(line.slice(0, OUTPUT_LINE))?.[1];
		return by !== undefined && (by === program || SHELL.test(by)) && line.includes(name);
	});
}

const OUTPUT_LINES = 400;
const OUTPUT_LINE = 200;

const FILE_WORD = /^(?!\/(?:tmp|dev|proc)\/)(?:[\w~.@/][\w./~@-]*)?[\w@-]\.[A-Za-z]\w{0,9}$/;

/** File names without a folder are skipped, because an earlier `cd` may have changed the folder. */
export function shellReads({ folder, segments }: ShellLine, name: PathNamer): string[] {
	return segments
		.filter(
			({ words }) => isViewer(words[0]) || /^git (?:diff|show|log|blame|add) /.test(withoutOptions(words)),
		)
		.flatMap(({ words }) =>
			words.slice(1).filter((word, at) => FILE_WORD.test(word) && !/>$/.test(words[at] ?? "")),
		)
		.map((word) => name(inFolder(folder, word)))
		.filter((path) => path.includes("/"));
}

export function shellRemovals({ folder, segments }: ShellLine, name: PathNamer): string[] {
	return segments.flatMap(({ words }) => {
		const [program = "", ...paths] = (words[0] === "git" ? words.slice(1) : words).filter(
			(word) => !/^-|[<>]/.test(word),
		);
		if (program !== "rm" && program !== "mv") return [];
		if (program === "mv" && !isPath(paths.at(-1))) return [];
		const gone = program === "rm" ? paths : paths.slice(0, -1);
		return gone.filter(isPath).map((path) => name(inFolder(folder, path)));
	});
}

function isPath(word = ""): boolean {
	return /\w/.test(word);
}

function inFolder(folder: string | undefined, path: string): string {
	return folder && !/^[~/]/.test(path) ? `${folder}/${path.replace(/^\.\//, "")}` : path;
}

const ASSIGNMENT = /^\s*(?:export )?[A-Za-z_]\w*=(?:"[^"\n]*"|'[^'\n]*'|\$\(.*\)|[^\s;&|]*);?\s*(?:\n|$)/;

/** Matches environment variables that are set only for a single command, as in `CI=1 npm test`. */
const ENVIRONMENT = /^\s*(?:[A-Za-z_]\w*=(?:"[^"\n]*"|'[^'\n]*'|[^\s;&|"'$()`]*)[ \t]+)+(?=[^\s;&|])/;

export function commandText(command: string): string {
	let script = command;
	for (let set = ASSIGNMENT.exec(script); set && set[0].length < script.length; set = ASSIGNMENT.exec(script))
		script = script.slice(set[0].length);
	return withoutHereDocs(script, " …")
		.replace(/^\s*cd\s+(?:"[^"]*"|'[^']*'|[^\s;&|]+)[ \t]*(?:&&|;|\n)\s*/, "")
		.replace(ENVIRONMENT, "")
		.replace(/\s+/g, " ")
		.trim();
}

export function programText(command: string): string {
	return commandText(command)
		.replace(
			/("[^"]*"|'[^']*')|\s*(?:\d?>&?\s*\S+|\|&?\s*(?:tail|head|grep|tee|cat|sed|awk|less|wc)\b.*)/g,
			(_, quoted: string | undefined) => quoted ?? "",
		)
		.trim();
}

export function shortCommand(command: string, columns: number): string {
	const short = clipColumns(command, columns);
	if (isBalanced(short)) return short;
	const cut = short.replace(/\s*\S*["'`([{][^"'`)\]}]*$/u, "");
	return isBalanced(cut) && cut !== "" ? `${cut} …` : cutAtClause(short, columns);
}

const PROGRAM =
	/^(?:uvx?|npm|npx|pnpm|yarn|bunx?|deno|git|gh|glab|tsc|tsx|eslint|vite|vitest|pytest|mypy|ruff|pip[3x]?|pipenv|python3?|ruby|cargo|rustc|rustup|gcc|cmake|gradle|mvn|javac?|dotnet|php|docker|podman|kubectl|terraform|aws|gcloud|psql|mysql|sqlite3|curl|wget|ssh|scp|rsync|e?grep|rg|sed|awk|jq|chmod|sudo|apt|brew|systemctl|tmux|n?vim)$/;

/**
 * If a title begins with the name of a program, as in `npm audit fails on CI`, changes the name to
 * lower case. `source` must contain the command in lower case.
 */
export function withCommandCase(title: string, source: string): string {
	const [first = "", second = ""] = title.split(" ", 2);
	const name = first.toLowerCase();
	return PROGRAM.test(name) && source.includes(`${name} ${second}`)
		? name + title.slice(first.length)
		: title;
}
