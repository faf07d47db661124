import type { ShellLine } from "./shell.ts";

const SCRIPT =
	/^(?:test|tests|check|checks|lint|typecheck|type-check|types|tsc|build|compile|verify|validate|ci|e2e|unit|integration|spec|vet|clippy)(?:[:._-][\w:.-]+)?$|[:._-](?:test|check|lint|typecheck|build)$/;
const PACKAGE_RUNNER = /^(?:npm|pnpm|yarn|bun|just|task|make|gmake|rake|mage|invoke|nx|turbo|poe|hatch|pdm)$/;
const CHECKER =
	/^(?:vitest|jest|mocha|ava|tap|tsc|tsgo|vue-tsc|svelte-check|eslint|oxlint|stylelint|pytest|mypy|pyright|pylint|flake8|tox|nox|ctest|rspec|rubocop|phpunit|phpstan|psalm|pest|golangci-lint|staticcheck|shellcheck|bats|ktlint|detekt|swiftlint|hadolint|actionlint|yamllint|markdownlint|cppcheck|clang-tidy|playwright|cypress|tsd|attw|publint)$/;
/** Programs with many uses: which word behind them makes a check. */
const WITH_VERB: ReadonlyMap<string, RegExp> = new Map(
	Object.entries({
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
	}),
);
const LAUNCHERS =
	/^(?:npx|pnpx|bunx|dlx|uvx|uv|poetry|pipx|rye|bundle|pnpm|yarn|bun|npm|exec|run|run-script|-s|--silent|--yes|-y|--)$/;

/** Programs that only talk about others. */
const BYSTANDERS = /^(?:echo|printf|cat|grep|rg|sed|awk|head|tail|ls|find|git|gh|cd|which|man|code|open|)$/;
const RUNNERS = /^(?:npx|pnpx|bunx|uvx|uv|poetry|bundle|pnpm|yarn|bun)$/;
const SCRIPT_FILE =
	/^(?:\.\/)?(?:[\w.-]+\/)*(?:[A-Za-z0-9]+[._-])*(?:tests?|checks?|lint|verify)(?:[._-][A-Za-z0-9]+)*\.(?:sh|bash|mjs|js|ts|py)$/;
/** What makes a script more than a check, whatever else its name says. */
const DOES_MORE =
	/(?:^|[:._-])(?:deploy|publish|release|push|seed|reset|update|fix|write|format|upload|install|migrate|apply)(?:$|[:._-])/;
/** Builders that take many targets, in any order. */
const MANY_TARGETS = /^(?:gradlew?|mvn|sbt|bazel|xcodebuild|mix|rails)$/;

/** What makes a checker only talk about itself or about what it would do. */
const ONLY_TALKS =
	/^(?:--?help|-h|--version|-v|-V|--?list|--listTests|--list-tests|--list-files|--collect-only|--co|--show-?config|--showConfig|--print-config|--init|--dry-run|--just-print|--env-info|--clearCache)(?:=.*)?$/;

/** Whether the words of a simple command are a test, lint, type or build run. */
export function isCheck(words: readonly string[]): boolean {
	const program = programName(words[0] ?? "");
	if (BYSTANDERS.test(program) || words.some((word) => talksOnly(program, word))) return false;
	if (CHECKER.test(program))
		return !/^(?:playwright|cypress)$/.test(program) || /^(?:test|run)$/.test(words[1] ?? "");
	const rest = words.slice(1, 8);
	const verbs = WITH_VERB.get(program);
	if (program === "python") return rest[0] === "-m" && verbs?.test(rest[1] ?? "") === true;
	const verb = rest.find((word) => !word.startsWith("-"));
	const isVerb = (word: string): boolean =>
		word === verb || word.startsWith("-") || MANY_TARGETS.test(program);
	if (verbs && rest.slice(0, 4).some((word) => isVerb(word) && verbs.test(word))) return true;
	if (PACKAGE_RUNNER.test(program) && isRunnerCheck(program, rest)) return true;
	if (RUNNERS.test(program)) {
		const inner = rest.findIndex((word) => !LAUNCHERS.test(word));
		return inner >= 0 && isCheck(rest.slice(inner));
	}
	return SCRIPT_FILE.test((/^(?:bash|sh|zsh|node|tsx)$/.test(program) ? rest[0] : words[0]) ?? "");
}

/** `-v` is a version to some and loud to others; `-n` is a rehearsal to make alone. */
function talksOnly(program: string, word: string): boolean {
	if (word === "-v") return /^(?:tsc|tsgo|eslint|npm|pnpm|yarn|node)$/.test(program);
	if (word === "-n") return /^(?:make|gmake)$/.test(program);
	if (word === "-h" || word === "-V") return program !== "rspec";
	return ONLY_TALKS.test(word);
}

function isRunnerCheck(program: string, rest: readonly string[]): boolean {
	if (/^(?:make|gmake)$/.test(program)) {
		const targets = rest.filter((word) => !word.startsWith("-") && !word.includes("="));
		return targets.some((word) => isScript(word) || word === "all");
	}
	// `npm ci` installs; a script of that name stands behind `run`.
	if (/^(?:p?npm|bun)$/.test(program) && rest.find((word) => !word.startsWith("-")) === "ci") return false;
	const script = rest.find((word) => !LAUNCHERS.test(word) && !word.startsWith("-"));
	return script !== undefined && (isScript(script) || (script === "t" && program === "npm"));
}

function isScript(name: string): boolean {
	return SCRIPT.test(name) && !DOES_MORE.test(name);
}

/** Whether a simple command is a check and nothing besides: `make test deploy` is not. */
export function isOnlyCheck(words: readonly string[]): boolean {
	return isCheck(words) && !words.slice(1).some((word) => DOES_MORE.test(word) || word === "clean");
}

/** A program without its folder and ending; every Python is one. */
export function programName(word: string): string {
	const name = word.slice(word.lastIndexOf("/") + 1).replace(/\.(?:exe|cmd|bat)$/, "");
	return /^python[\d.]+$/.test(name) ? "python" : name;
}

/** Whether a command line runs a check anywhere in it. */
export function runsCheck({ segments }: ShellLine): boolean {
	return segments.some(({ words }) => isCheck(words));
}
