import type { ShellLine, ShellSegment } from "./shell.ts";

/** What a command's result shows of the checks in it. `unknown`: the log does not show how they went. */
export type CheckVerdict = "passed" | "failed" | "unknown";

const SCRIPT =
	/^(?:test|tests|check|checks|lint|typecheck|type-check|types|tsc|build|compile|verify|validate|ci|e2e|unit|integration|spec|vet|clippy)(?:[:._-][\w:.-]+)?$|[:._-](?:test|check|lint|typecheck|build)$/;
const PACKAGE_RUNNER = /^(?:npm|pnpm|yarn|bun|just|task|make|gmake|rake|mage|invoke|nx|turbo|poe|hatch|pdm)$/;
const CHECKER =
	/^(?:vitest|jest|mocha|ava|tap|tsc|tsgo|vue-tsc|svelte-check|eslint|oxlint|stylelint|pytest|mypy|pyright|pylint|flake8|tox|nox|ctest|rspec|rubocop|phpunit|phpstan|psalm|pest|golangci-lint|staticcheck|shellcheck|bats|ktlint|detekt|swiftlint|hadolint|actionlint|yamllint|markdownlint|cppcheck|clang-tidy|playwright|cypress|tsd|attw|publint)$/;
/** Programs with many uses: which word behind them makes a check. */
const WITH_VERB: Record<string, RegExp> = {
	go: /^(?:test|vet|build)$/,
	cargo: /^(?:test|check|build|clippy|nextest)$/,
	swift: /^(?:test|build)$/,
	deno: /^(?:test|check|lint)$/,
	dotnet: /^(?:test|build)$/,
	mix: /^(?:test|compile|credo|dialyzer)$/,
	zig: /^(?:build|test)$/,
	biome: /^(?:check|lint|ci)$/,
	ruff: /^(?:check)$/,
	prettier: /^(?:--check|-c)$/,
	black: /^--check$/,
	astro: /^(?:check|build)$/,
	next: /^(?:build|lint)$/,
	vite: /^build$/,
	rails: /^test$/,
	composer: /^(?:test|check|validate)$/,
	gradle: /^(?:test|check|build)$/,
	gradlew: /^(?:test|check|build|assemble\w*)$/,
	mvn: /^(?:test|verify|package|install|compile)$/,
	sbt: /^(?:test|compile)$/,
	bazel: /^(?:test|build)$/,
	xcodebuild: /^(?:test|build)$/,
	flutter: /^(?:test|analyze|build)$/,
	terraform: /^(?:validate|plan)$/,
	cmake: /^--build$/,
	python: /^(?:unittest|pytest|mypy|pyright|compileall|py_compile)$/,
	node: /^--test$/,
	tsx: /^--test$/,
};
const LAUNCHERS =
	/^(?:npx|pnpx|bunx|dlx|uvx|uv|poetry|pipx|rye|bundle|pnpm|yarn|bun|npm|exec|run|run-script|-s|--silent|--yes|-y|--)$/;

/** Programs that only talk about others. */
const BYSTANDERS = /^(?:echo|printf|cat|grep|rg|sed|awk|head|tail|ls|find|git|gh|cd|which|man|code|open|)$/;
const RUNNERS = /^(?:npx|pnpx|bunx|uvx|uv|poetry|bundle|pnpm|yarn|bun)$/;
const SCRIPT_FILE = /^(?:\.\/)?[\w./-]*(?:test|check|lint|verify)[\w-]*\.(?:sh|bash|mjs|js|ts|py)$/;

/** Whether the words of a simple command are a test, lint, type or build run. */
export function isCheck(words: readonly string[]): boolean {
	const program = programName(words[0] ?? "");
	if (BYSTANDERS.test(program)) return false;
	if (CHECKER.test(program)) return true;
	const rest = words.slice(1, 8);
	if (program === "python") return rest[0] === "-m" && (WITH_VERB["python"]?.test(rest[1] ?? "") ?? false);
	if (WITH_VERB[program] && rest.slice(0, 4).some((word) => WITH_VERB[program]?.test(word))) return true;
	if (PACKAGE_RUNNER.test(program) && isRunnerCheck(program, rest)) return true;
	if (RUNNERS.test(program)) {
		const inner = rest.findIndex((word) => !LAUNCHERS.test(word));
		return inner >= 0 && isCheck(rest.slice(inner));
	}
	return SCRIPT_FILE.test((/^(?:bash|sh|zsh|node|tsx)$/.test(program) ? rest[0] : words[0]) ?? "");
}

function isRunnerCheck(program: string, rest: readonly string[]): boolean {
	if (/^(?:make|gmake)$/.test(program)) {
		const targets = rest.filter((word) => !word.startsWith("-") && !word.includes("="));
		return targets.some((word) => SCRIPT.test(word) || word === "all");
	}
	const script = rest.find((word) => !LAUNCHERS.test(word) && !word.startsWith("-"));
	return script !== undefined && (SCRIPT.test(script) || (script === "t" && program === "npm"));
}

function programName(word: string): string {
	const name = word.slice(word.lastIndexOf("/") + 1).replace(/\.(?:exe|cmd|bat)$/, "");
	return /^python[\d.]+$/.test(name) ? "python" : name;
}

/** Whether a command line runs a check anywhere in it. */
export function runsCheck({ segments }: ShellLine): boolean {
	return segments.some(({ words }) => isCheck(words));
}

/** Lines by which test, lint, type and build tools report a failure. They speak English in every locale that matters here. */
const FAILURE =
	/(?:^|[^\w-])[1-9]\d*\s+(?:tests?\s+|suites?\s+)?(?:failed|failing|failures?|errors?)\b|\berrors?\s*[:=]\s*[1-9]|\berror (?:TS\d+|\[?E\d+)|^\s*(?:not ok\b|FAIL(?:ED|URE)?\b|---? FAIL|error(?:\[\w+\])?:|ERROR[:\s]|npm (?:ERR!|error)|✖|✗|❌)|\bBUILD FAILED\b|\bcommand failed\b|Traceback \(most recent call last\)|panic:|\bAssertionError\b|\bELIFECYCLE\b/im;
/** Lines by which they report success, even where the exit status is hidden behind a pipe. */
const SUCCESS =
	/\b(?:0|no) (?:errors?|failures?|problems?|issues?|failed)\b|\b\d+ (?:passed|passing|pass)\b|\ball (?:\w+ )?(?:tests?|checks?) pass|^\s*(?:ok\s+\S+|PASS\b|OK\b)|\bBUILD SUCC|test result: ok|\bBuild complete|\bcompiled successfully\b|✓ built|\bbuilt in \d|\b(?:exit|status|rc)(?: code)?\s*[:=]\s*0\b/im;

/** Characters at an output's end that are read for how a check went. */
const TAIL = 8_000;

/**
 * How the checks of one command line went, by exit status where the shell passes it on, and by the tools' own words where a pipe or
 * a later command hides it.
 */
export function checkVerdict(
	{ segments }: ShellLine,
	output: string,
	outcome: "ok" | "failed" | "aborted" | "unknown",
): CheckVerdict {
	const tail = output.slice(-TAIL);
	if (outcome === "failed") return failedVerdict(segments.length, tail);
	if (outcome !== "ok") return "unknown";
	const checks = segments.flatMap(({ words }, index) => (isCheck(words) ? [index] : []));
	const isHidden = checks.some((index) =>
		segments.slice(index).some(({ next }) => next !== "&&" && next !== ""),
	);
	if (!isHidden) return "passed";
	if (FAILURE.test(tail)) return "failed";
	if (SUCCESS.test(tail)) return "passed";
	return checks.every((index) => showsItsEnd(segments, index)) && tail.trim() !== "" ? "passed" : "unknown";
}

/** Runners that always end a failed run's output with a line of their own, so that an end without it means success. */
const SIGNS_FAILURE = /^(?:npm|pnpm|yarn|make|gmake|cargo|go|mvn|gradle|gradlew)$/;

/** Whether the log shows the end of a check's output: nothing behind it but `tail` of three lines or more. */
function showsItsEnd(segments: readonly ShellSegment[], index: number): boolean {
	if (!SIGNS_FAILURE.test(programName(segments[index]?.words[0] ?? ""))) return false;
	return segments.slice(index + 1).every(({ bare }) => {
		const lines = bare.trim().match(/^tail(?:\s+-(?:n\s*)?(\d+))?$/);
		return lines !== null && Number(lines[1] ?? 10) >= 3;
	});
}

/** A failed line of several commands may have failed before or after its checks. */
function failedVerdict(segments: number, output: string): CheckVerdict {
	if (segments === 1 || FAILURE.test(output)) return "failed";
	return SUCCESS.test(output) ? "unknown" : "failed";
}

/** The line of a failed command's output that says most. */
export function failureLine(output: string): string | undefined {
	const lines = output.slice(-TAIL).split("\n");
	const telling =
		lines.find((line) => FAILURE.test(line)) ?? lines.filter((line) => line.trim() !== "").at(-1);
	return telling?.trim().slice(0, 300);
}
