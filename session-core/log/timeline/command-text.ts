import { clipColumns, cutAtClause, isBalanced } from "../../text/index.ts";
import { withoutHereDocs } from "./shell.ts";

/** Matches a line of a script that only sets a variable. */
const ASSIGNMENT = /^\s*(?:export )?[A-Za-z_]\w*=(?:"[^"\n]*"|'[^'\n]*'|\$\(.*\)|[^\s;&|]*);?\s*(?:\n|$)/;

/** Matches the variables that are set only for the command after them: `CI=1 npm test`. */
const ENVIRONMENT = /^\s*(?:[A-Za-z_]\w*=(?:"[^"\n]*"|'[^'\n]*'|[^\s;&|"'$()`]*)[ \t]+)+(?=[^\s;&|])/;

/** Returns a command without the assignments and the `cd` at its beginning, and without the bodies of here-documents. */
export function commandText(command: string): string {
	let script = command;
	for (let set = ASSIGNMENT.exec(script); set && set[0].length < script.length; set = ASSIGNMENT.exec(script))
		script = script.slice(set[0].length);
	return withoutHereDocs(script, " …")
		.replace(/^\s*cd\s+(?:"[^"]*"|'[^']*'|[^\s;&|]+)\s*&&\s*/, "")
		.replace(ENVIRONMENT, "")
		.replace(/\s+/g, " ")
		.trim();
}

/** Like {@link commandText}, but also removes pipes and redirections that only format the output. */
export function programText(command: string): string {
	return commandText(command)
		.replace(
			/("[^"]*"|'[^']*')|\s*(?:\d?>&?\s*\S+|\|&?\s*(?:tail|head|grep|tee|cat|sed|awk|less|wc)\b.*)/g,
			(_, quoted: string | undefined) => quoted ?? "",
		)
		.trim();
}

/** Returns the beginning of a command. A quotation that does not fit is left out completely. */
export function shortCommand(command: string, columns: number): string {
	const short = clipColumns(command, columns);
	if (isBalanced(short)) return short;
	const cut = short.replace(/\s*\S*["'`([{][^"'`)\]}]*$/u, "");
	return isBalanced(cut) && cut !== "" ? `${cut} …` : cutAtClause(short, columns);
}

/** Matches the names of common programs that are not words in a natural language. */
const PROGRAM =
	/^(?:uvx?|npm|npx|pnpm|yarn|bunx?|deno|git|gh|glab|tsc|tsx|eslint|vite|vitest|pytest|mypy|ruff|pip[3x]?|pipenv|python3?|ruby|cargo|rustc|rustup|gcc|cmake|gradle|mvn|javac?|dotnet|php|docker|podman|kubectl|terraform|aws|gcloud|psql|mysql|sqlite3|curl|wget|ssh|scp|rsync|e?grep|rg|sed|awk|jq|chmod|sudo|apt|brew|systemctl|tmux|n?vim)$/;

/** Returns a title in which the command at its beginning is not capitalized, if `source` contains that command in lower case. */
export function withCommandCase(title: string, source: string): string {
	const [first = "", second = ""] = title.split(" ", 2);
	const name = first.toLowerCase();
	return PROGRAM.test(name) && source.includes(`${name} ${second}`)
		? name + title.slice(first.length)
		: title;
}
