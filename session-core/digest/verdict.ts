import type { Shown } from "./claims.ts";
import type { CommandFact } from "./commands.ts";
import type { PathNamer } from "./paths.ts";
import type { Checks, FileChange } from "./types.ts";

/** One command in the order of the log. */
export interface Run {
	fact: CommandFact;
	turn: number;
	order: number;
}

/**
 * The runs with what others of the same log show of them. Where npm was seen to sign a failed script (`npm error …`, as it does in a
 * workspace), an end of its output in the same folder without that shows success.
 */
export function settleRuns(runs: readonly Run[]): Run[] {
	const signing = new Set(
		runs
			.filter(({ fact }) => fact.verdict === "failed" && SIGNED.test(fact.output.slice(-8_000)))
			.map(({ fact }) => fact.line.folder),
	);
	if (signing.size === 0) return [...runs];
	return runs.map((run) => {
		const { fact } = run;
		const isSettled = fact.verdict !== "unknown" || !fact.isUnsignedEnd || !signing.has(fact.line.folder);
		return isSettled ? run : { ...run, fact: { ...fact, verdict: "passed" } };
	});
}

const SIGNED = /^npm (?:error|ERR!) (?:code|command|Lifecycle|Test)\b/m;

/**
 * Whether a check concerns what the session changed. One that ran in a folder outside the session's own, in which nothing was changed
 * while elsewhere something was, is about another project.
 */
export function concerns(
	{ line }: Pick<CommandFact, "line">,
	changed: readonly FileChange[],
	{ name, cwd }: { name: PathNamer; cwd: string | undefined },
): boolean {
	const folder = line.folder?.replace(/\/+$/, "");
	if (!folder || cwd === undefined || changed.length === 0 || cwd === folder) return true;
	const named = name(folder);
	if (!/^(?:[/~]|[A-Za-z]:|\.\.)/.test(named) || cwd.startsWith(`${folder}/`)) return true;
	// The folders above the session's own hold it.
	if (/^(?:\.\.\/?)+$/.test(named)) return true;
	return changed.some(({ path }) => path.startsWith(`${named}/`));
}

/** Files that no test or build is about: where nothing else was changed and no check ever ran, none is missed. */
const PROSE =
	/\.(?:md|mdx|markdown|txt|rst|adoc|org|html?|csv|tsv|log|svg|png|pdf)$|(?:^|\/)(?:LICENSE|NOTICE|\.nojekyll|\.gitignore)$/i;

/**
 * Checks after the last edit, by the newest verdict of each check command: one that failed and was not run again outweighs any
 * number that passed. A check whose result the log hides counts as not run.
 */
export function judgeChecks(
	runs: readonly Run[],
	lastEdit: number,
	changed: readonly FileChange[] = [],
): Checks {
	const latest = new Map<string, Run>();
	for (const run of runs) {
		if (!run.fact.isCheck || run.order <= lastEdit) continue;
		const key = `${run.fact.line.folder ?? ""}:${checkName(run.fact.command)}`;
		// A run that shows no verdict takes back none that an earlier one showed.
		if (run.fact.verdict !== "unknown" || !latest.has(key)) latest.set(key, run);
	}
	const newest = [...latest.values()];
	const failed = newest.filter(({ fact }) => fact.verdict === "failed");
	const passed = newest.filter(({ fact }) => fact.verdict === "passed");
	if (failed.some((run) => !passed.some((later) => repeats(later, run, runs)))) return "failed";
	if (passed.length > 0) return "passed";
	const isCheckable = runs.some(({ fact }) => fact.isCheck) || changed.some(({ path }) => !PROSE.test(path));
	return isCheckable ? "not_run" : "none";
}

/** Whether a script that passed later ran, in the same folder, the very command that had failed on its own. */
function repeats(later: Run, failed: Run, runs: readonly Run[]): boolean {
	if (later.order < failed.order || later.fact.line.folder !== failed.fact.line.folder) return false;
	const command = checkName(failed.fact.command);
	const name = checkName(later.fact.command);
	return runs.some(
		({ fact }) =>
			checkName(fact.command) === name &&
			fact.line.folder === failed.fact.line.folder &&
			scriptsIn(fact.output).some((script) => script.split(/\s*(?:&&|;)\s*/).includes(command)),
	);
}

/** The script lines that npm and its like print: before they run one, and when it failed. */
function scriptsIn(output: string): string[] {
	const lines = output.slice(-8_000).matchAll(/^(?:> |npm (?:error|ERR!) command (?:sh -c )?)(.+)$/gm);
	return [...lines].map(([, script = ""]) => script.trim());
}

/** What only finds a program: `uv run pytest` and `python -m pytest` run what `pytest` does. */
const LAUNCHER = /^(?:npx|bunx|pnpx|(?:pnpm|yarn|bundle) exec|(?:uv|poetry|pdm) run|python3? -m)\s+(?=[a-z])/;

/** A check by what it runs, whatever is done with its output. */
function checkName(command: string): string {
	return command
		.slice(0, 1_000)
		.replace(/^\s*cd\s+\S+\s*(?:&&|;)\s*/, "")
		.replace(/^(?:[A-Za-z_]\w*=\S*\s+|(?:timeout|env)\s+(?:-\S+\s+)*(?:\d\S*\s+)?)+/, "")
		.replace(LAUNCHER, "")
		.replace(/[ \t]\d?>&?[ \t]?[^\s|;]+/g, "")
		.replace(/\s?\|(?:[^|][^;&]*)?$/, "")
		.trim();
}

/** What the log shows to have succeeded. A commit counts only while nothing was edited after it. */
export function shownBy(runs: readonly Run[], lastEdit: number): Shown {
	const shown = {
		checks: judgeChecks(runs, lastEdit) === "passed",
		committed: false,
		pushed: false,
		merged: false,
		published: false,
	};
	for (const { fact, order } of runs) {
		if (fact.outcome !== "ok") continue;
		for (const { words, bare } of fact.line.segments) {
			const isGit = words[0] === "git";
			if (isGit && words.includes("commit") && order > lastEdit) shown.committed = true;
			if (isGit && words.includes("push") && order > lastEdit) shown.pushed = true;
			if (isGit && words.includes("merge")) shown.merged = true;
			if (/^(?:gh|glab|hub)$/.test(words[0] ?? "")) {
				if (words[1] === "repo" && bare.includes("--push")) shown.pushed = true;
				if (words[2] === "merge") shown.merged = true;
				if (/^(?:api|release|workflow)$/.test(words[1] ?? "")) shown.published = true;
			}
			if (words.some((word) => /^(?:publish|deploy|release)\b/.test(word))) shown.published = true;
		}
	}
	// Many a site and service is deployed by the push.
	return { ...shown, published: shown.published || shown.pushed };
}
