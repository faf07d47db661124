import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { Command } from "commander";
import { expect, test } from "vitest";
import { addCommands } from "../bin/commands.ts";
import { type CommandForm, readArguments, readChoice } from "../session-core/pi/host/options.ts";
import { SHORTCUTS } from "../session-core/pi/host/register.ts";
import { SETTING_KEYS } from "../session-core/settings/settings.ts";
import { parseJsonc } from "../session-core/text/settings-file.ts";
import { RECALL } from "../session-recall/tool-calls.ts";
import { RECAP } from "../session-recap/command.ts";
import { RECAP_FLAGS } from "../session-recap/index.ts";
import { parseSessions, SESSIONS } from "../session-resume/board/command.ts";
import { ACTS } from "../session-resume/board/keys.ts";
import { RECAP_CARD } from "../session-resume/command/recap-card.ts";
import { parseFrom, RESUME_FROM } from "../session-resume/command/resume-from.ts";
import { parseHere, RESUME_HERE } from "../session-resume/command/resume-here.ts";
import { TODAY } from "../session-resume/command/today.ts";
import { parseRename, RENAME } from "../session-title/command.ts";
import { TITLE_FLAGS } from "../session-title/index.ts";
import { PROJECT_ROOT } from "./host/launch.ts";

const EXTENSIONS = ["session-recap", "session-title", "session-resume", "session-recall"];
const READMES = ["README.md", ...EXTENSIONS.map((name) => `${name}/README.md`)];
const DOCUMENTS = [
	...READMES,
	"CONTRIBUTING.md",
	"RELEASING.md",
	"CHANGELOG.md",
	...EXTENSIONS.map((name) => `${name}/CHANGELOG.md`),
	...readdirSync(join(PROJECT_ROOT, "docs"))
		.filter((name) => name.endsWith(".md"))
		.map((name) => `docs/${name}`),
];

const PROGRAM = new Command("pi-sessions");
addCommands(PROGRAM, async () => undefined);

const textOf = (document: string) => readFileSync(join(PROJECT_ROOT, document), "utf8");
const isFile = (...path: string[]) => existsSync(join(PROJECT_ROOT, ...path));
const withoutBlocks = (text: string) => text.replace(/^```[\s\S]*?^```$/gm, "");
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = ""]) => found);
const codeIn = (document: string) => all(withoutBlocks(textOf(document)), /`([^`\n]+)`/g);
const readmes = READMES.map(textOf).join("\n");

const fragmentOf = (heading: string) =>
	heading
		.toLowerCase()
		.replace(/[^\p{L}\p{N} _-]/gu, "")
		.replaceAll(" ", "-");

const PARSERS: Readonly<Record<string, (args: string) => { type: string }>> = {
	recap: (args) => readChoice(RECAP, args),
	rename: parseRename,
	recall: (args) => readArguments(RECALL, args),
	"recap-card": (args) => readChoice(RECAP_CARD, args),
	"resume-here": parseHere,
	"resume-from": parseFrom,
	today: (args) => readChoice(TODAY, args),
	sessions: parseSessions,
};
const OF_THE_HOST = ["resume", "fork", "clone", "new", "name", "model", "hotkeys", "reload", "tree"];

const MISTAKES: Readonly<Record<string, (document: string) => string[]>> = {
	"a link without a target": (document) => {
		const text = withoutBlocks(textOf(document));
		const links = [...all(text, /\]\(([^)\s]+)\)/g), ...all(text, /\bsrc(?:set)?="([^"]+)"/g)];
		return links.filter((link) => {
			const [path = "", fragment] = link.split("#");
			if (/^https?:/.test(path)) return false;
			const target = path === "" ? document : join(dirname(document), path);
			if (!isFile(target) || fragment === undefined) return !isFile(target);
			return !all(textOf(target), /^#+ (.+)$/gm)
				.map(fragmentOf)
				.includes(fragment);
		});
	},
	/**
	 * Paths are relative to the repository, `session-core` or the document; a tag
	 * (`session-recap/v1.0.0`) is not a path.
	 */
	"a path": (document) => {
		const roots = new Set([...readdirSync(PROJECT_ROOT), ...readdirSync(join(PROJECT_ROOT, "session-core"))]);
		return codeIn(document)
			.filter((code) => /^[\w.-]+\/[\w./-]*$/.test(code) && !/\/v[\dX]/.test(code))
			.filter((code) => !code.startsWith("dist/") && roots.has(code.split("/", 1)[0] ?? ""))
			.filter((path) => !isFile(path) && !isFile("session-core", path) && !isFile(dirname(document), path));
	},
	"an npm script": (document) => {
		const { scripts } = JSON.parse(textOf("package.json"));
		return all(textOf(document), /\bnpm run (?:--silent )?([\w:]+)/g).filter((name) => !(name in scripts));
	},
	"a flag": (document) =>
		all(textOf(document), /--((?:recap|title)-[a-z-]+)/g).filter(
			(name) => !(name in RECAP_FLAGS || name in TITLE_FLAGS),
		),
	"a command of pi-sessions": (document) =>
		all(textOf(document), /(?:^|[`(])pi-sessions ([a-z]+)/gm).filter(
			(name) => !PROGRAM.commands.some((command) => command.name() === name),
		),
	"a command or option": (document) =>
		READMES.includes(document) || document.startsWith("session-")
			? codeIn(document)
					.filter((code) => /^\/[a-z-]+(?: |$)/.test(code))
					.filter((code) => {
						const [name = "", ...words] = code.slice(1).split(" ");
						const parse = PARSERS[name];
						if (!parse) return !OF_THE_HOST.includes(name);
						const args = words
							.join(" ")
							.replace(/\[[^\]]*\] ?/g, "")
							.replace(/<[^>]*>/g, "x");
						// A command's name alone is always valid, even if the command needs arguments.
						return args !== "" && parse(args).type === "refused";
					})
			: [],
	"a setting": (document) => {
		if (!READMES.includes(document)) return [];
		const blocks = all(textOf(document), /^```jsonc\n([\s\S]*?)^```$/gm).flatMap((block) => {
			const parsed = parseJsonc(block);
			return parsed.ok ? leavesOf(parsed.value) : [`not read: ${block}`];
		});
		const dotted = codeIn(document).filter((code) => /^(?:recap|title|resume)\.[a-zA-Z]+$/.test(code));
		return [...blocks, ...dotted].filter((key) => !SETTING_KEYS.some(({ name }) => name === key));
	},
};

test.each(DOCUMENTS)("%s mentions nothing that does not exist", (document) => {
	const found = Object.entries(MISTAKES).flatMap(([what, mistakes]) =>
		mistakes(document).map((mistake) => `${what}: ${mistake}`),
	);
	expect(found).toEqual([]);
});

function leavesOf(value: unknown, path: readonly string[] = []): string[] {
	if (typeof value !== "object" || value === null) return [path.join(".")];
	return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, [...path, name]));
}

const optionsIn = (help: string) => all(help, /(--[a-z][a-z-]*)/g);
const valuesOf = ({ options }: CommandForm) => options.flatMap(([value]) => optionsIn(value));
const namesIn = (folder: string, pattern: RegExp) =>
	readdirSync(join(PROJECT_ROOT, folder)).filter((name) => pattern.test(name));
const readme = (extension: string) => codeIn(`${extension}/README.md`).join(" ");

test.each<[string, readonly string[], string]>([
	["folder of session-core", namesIn("session-core", /^[^.]+$/), codeIn("CONTRIBUTING.md").join(" ")],
	[
		"measurement",
		namesIn("bench", /^(?!main)[^.]+\.ts$/).map((name) => name.replace(/\.ts$/, "")),
		codeIn("docs/performance.md").join(" "),
	],
	["option of session-recap", valuesOf(RECAP), readme("session-recap")],
	["option of session-title", valuesOf(RENAME), readme("session-title")],
	[
		"option of session-resume",
		[SESSIONS, RECAP_CARD, RESUME_HERE, RESUME_FROM, TODAY].flatMap(valuesOf),
		readme("session-resume"),
	],
	["flag", Object.keys({ ...RECAP_FLAGS, ...TITLE_FLAGS }).map((name) => `--${name}`), readmes],
	["setting", SETTING_KEYS.map(({ leaf }) => leaf), readmes],
	[
		"key of the board",
		ACTS.flatMap(({ fixed }) => fixed ?? []),
		textOf("session-resume/README.md").toLowerCase(),
	],
	[
		"shortcut",
		Object.entries(SHORTCUTS).flatMap(([name, { key }]) => [`session-suite.${name}`, `\`${key}\``]),
		readmes,
	],
])("every %s is described", (_what, names, text) => {
	expect(names.length).toBeGreaterThan(0);
	expect(names.filter((name) => !text.includes(name))).toEqual([]);
});

const modulesIn = (folder: string) =>
	readdirSync(join(PROJECT_ROOT, folder), { recursive: true, encoding: "utf8" })
		.filter((path) => /(?<!\.test|test-support)\.(?:ts|mjs)$/.test(path) && !path.includes("node_modules"))
		.map((path) => join(folder, path));

test("CONTRIBUTING.md names every file of session-core, and no file that is gone", () => {
	const named = all(codeIn("CONTRIBUTING.md").join("\n"), /^(?:[\w/-]+\/)?([\w.-]+\.(?:ts|mjs))$/gm);
	const core = modulesIn("session-core").map((path) => basename(path));
	expect(core.filter((file) => file !== "index.ts" && !named.includes(file))).toEqual([]);
	const known = ["session-core", ...EXTENSIONS, "bin", "test"].flatMap(modulesIn);
	const isTest = (file: string) => /\.test(?:-support)?\.ts$/.test(file);
	expect(named.filter((file) => !isTest(file) && !known.some((path) => basename(path) === file))).toEqual([]);
});

test("docs/session-files.md shows every field of a record, and no other", () => {
	const fieldsIn = (path: string, start: RegExp) => {
		const [, block = ""] = new RegExp(`${start.source}\n([\\s\\S]*?)^\\}`, "m").exec(textOf(path)) ?? [];
		return all(block.replace(/\/\*[\s\S]*?\*\//g, ""), /^(?:\t| {2})(\w+)\??:/gm).sort();
	};
	const shown = fieldsIn("docs/session-files.md", /interface Recap \{/);
	expect(shown).toContain("handed_over_from");
	expect(shown).toEqual(fieldsIn("session-core/recap/record.ts", /isRecap = hasFields\(\{/));
});

test("every file and folder of the suite in the agent folder is described", () => {
	const sources = [...EXTENSIONS, "session-core", "bin"].flatMap(modulesIn).map(textOf).join("\n");
	const places = new Set(all(sources, /"session-suite",\s*(?:"|`)([a-z-]+)/g));
	expect(places.size).toBeGreaterThan(3);
	const documents = DOCUMENTS.map(textOf).join("\n");
	expect([...places].filter((place) => !documents.includes(`session-suite/${place}`))).toEqual([]);
});

test("docs/shell.md describes every command of pi-sessions with every option", async () => {
	const text = textOf("docs/shell.md");
	for (const command of PROGRAM.commands) {
		const name = command.name();
		// Only the completion scripts use `offers`.
		if (name === "offers") continue;
		const row = all(text, new RegExp(`^\\| \`(${name}\\b.*)$`, "gm"))[0];
		expect(row, name).toBeDefined();
		const section = name === "resume" ? text.slice(text.indexOf("## resume")) : (row ?? "");
		const options = command.options.map(({ long }) => long ?? "");
		for (const option of options) expect(section, name).toContain(option);
	}
});
