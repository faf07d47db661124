import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { COMMANDS } from "../bin/commands.ts";
import { findOption, readArguments } from "../session-core/command/options.ts";
import { SHORTCUTS } from "../session-core/command/shortcuts.ts";
import { SETTING_KEYS } from "../session-core/settings/defaults.ts";
import { parseJsonc } from "../session-core/settings/file.ts";
import { RECAP_OPTIONS, recapHelp } from "../session-recap/command.ts";
import { RECAP_FLAGS } from "../session-recap/config.ts";
import { parseSessions, sessionsHelp } from "../session-resume/board/command.ts";
import { ACTS } from "../session-resume/board/keys.ts";
import {
	COMMAND_OPTIONS,
	parseCard,
	parseFrom,
	parseHere,
	parseToday,
} from "../session-resume/command/arguments.ts";
import { parseRename, renameHelp } from "../session-title/command.ts";
import { TITLE_FLAGS } from "../session-title/config.ts";
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

const textOf = (document: string) => readFileSync(join(PROJECT_ROOT, document), "utf8");
const isFile = (...path: string[]) => existsSync(join(PROJECT_ROOT, ...path));
const withoutBlocks = (text: string) => text.replace(/^```[\s\S]*?^```$/gm, "");
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = ""]) => found);
const codeIn = (document: string) => all(withoutBlocks(textOf(document)), /`([^`\n]+)`/g);
const readmes = READMES.map(textOf).join("\n");

/** A heading's fragment, as GitHub generates it. */
const fragmentOf = (heading: string) =>
	heading
		.toLowerCase()
		.replace(/[^\p{L}\p{N} _-]/gu, "")
		.replaceAll(" ", "-");

describe.each(DOCUMENTS)("%s", (document) => {
	test("every relative link has a target", () => {
		const text = withoutBlocks(textOf(document));
		const links = [...all(text, /\]\(([^)\s]+)\)/g), ...all(text, /\bsrc(?:set)?="([^"]+)"/g)];
		const broken = links.filter((link) => {
			const [path = "", fragment] = link.split("#");
			if (/^https?:/.test(path)) return false;
			const target = path === "" ? document : join(dirname(document), path);
			if (!isFile(target)) return true;
			return (
				fragment !== undefined &&
				!all(textOf(target), /^#+ (.+)$/gm)
					.map(fragmentOf)
					.includes(fragment)
			);
		});
		expect(broken).toEqual([]);
	});

	/** Paths are relative to the repository, `session-core` or the document; a tag (`session-recap/v1.0.0`) is not a path. */
	test("every path exists", () => {
		const roots = new Set([...readdirSync(PROJECT_ROOT), ...readdirSync(join(PROJECT_ROOT, "session-core"))]);
		const paths = codeIn(document)
			.filter((code) => /^[\w.-]+\/[\w./-]*$/.test(code) && !/\/v[\dX]/.test(code))
			.filter((code) => !code.startsWith("dist/") && roots.has(code.split("/", 1)[0] ?? ""));
		const missing = paths.filter(
			(path) => !isFile(path) && !isFile("session-core", path) && !isFile(dirname(document), path),
		);
		expect(missing).toEqual([]);
	});

	test("every npm script exists", () => {
		const { scripts } = JSON.parse(textOf("package.json"));
		const named = all(textOf(document), /\bnpm run (?:--silent )?([\w:]+)/g);
		expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
	});
});

test("CONTRIBUTING names every folder of session-core", () => {
	const folders = readdirSync(join(PROJECT_ROOT, "session-core"), { withFileTypes: true })
		.filter((entry) => entry.isDirectory())
		.map(({ name }) => name);
	const named = codeIn("CONTRIBUTING.md");
	expect(folders.filter((folder) => !named.includes(folder))).toEqual([]);
});

test("docs/performance.md describes every measurement", () => {
	const measured = readdirSync(join(PROJECT_ROOT, "bench"))
		.filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts") && name !== "main.ts")
		.map((name) => name.replace(/\.ts$/, ""));
	expect(measured.filter((name) => !codeIn("docs/performance.md").includes(name))).toEqual([]);
});

describe("commands", () => {
	const PARSERS: Readonly<Record<string, (args: string) => { type: string }>> = {
		recap: (args) => ({ type: findOption(RECAP_OPTIONS, args) ? "known" : "unknown" }),
		rename: parseRename,
		recall: (args) => readArguments(args, { switches: ["--here"] }),
		"recap-card": parseCard,
		"resume-here": parseHere,
		"resume-from": parseFrom,
		today: parseToday,
		sessions: parseSessions,
	};
	/** The host's own commands in these documents. */
	const OF_THE_HOST = ["resume", "fork", "clone", "new", "name", "model", "hotkeys", "reload"];
	const REFUSED = ["unknown", "conflict", "refused", "incomplete"];

	test.each(READMES)("%s names only commands and options that exist", (document) => {
		const typed = codeIn(document).filter((code) => /^\/[a-z-]+(?: |$)/.test(code));
		const unknown = typed.filter((code) => {
			const [name = "", ...words] = code.slice(1).split(" ");
			const parse = PARSERS[name];
			if (!parse) return !OF_THE_HOST.includes(name);
			const args = words
				.join(" ")
				.replace(/\[[^\]]*\] ?/g, "")
				.replace(/<[^>]*>/g, "x");
			// The name alone is always valid, even for a command that needs arguments.
			return args !== "" && REFUSED.includes(parse(args).type);
		});
		expect(unknown).toEqual([]);
	});

	const values = (options: readonly { value: string }[]) => options.map(({ value }) => value).join("\n");
	test.each([
		["session-recap", recapHelp()],
		["session-title", renameHelp()],
		["session-resume", [sessionsHelp(), ...Object.values(COMMAND_OPTIONS).map(values)].join("\n")],
	])("the README of %s describes every option", (extension, help) => {
		const described = codeIn(`${extension}/README.md`).join(" ");
		const options = new Set(all(help, /(--[a-z][a-z-]*)/g));
		expect([...options].filter((option) => !described.includes(option))).toEqual([]);
	});

	test("every flag is described, and no other", () => {
		const named = all(readmes, /--((?:recap|title)-[a-z-]+)/g);
		const flags = [...Object.keys(RECAP_FLAGS), ...Object.keys(TITLE_FLAGS)];
		expect([...new Set(named)].sort()).toEqual(flags.sort());
	});

	test("docs/shell.md describes every command of pi-sessions with every option", async () => {
		const text = textOf("docs/shell.md");
		for (const [name, command] of Object.entries(COMMANDS)) {
			const row = all(text, new RegExp(`^\\| \`(${name}\\b.*)$`, "gm"))[0];
			expect(row, name).toBeDefined();
			const section = name === "resume" ? text.slice(text.indexOf("## resume")) : (row ?? "");
			const options = Object.keys(command.options);
			for (const option of options) expect(section, name).toContain(`--${option}`);
			const described = all(row ?? "", /\[--([a-z-]+)/g);
			expect(described.filter((option) => !options.includes(option))).toEqual([]);
		}
	});

	test.each(DOCUMENTS)("%s names only commands of pi-sessions that exist", (document) => {
		const named = all(textOf(document), /(?:^|[`(])pi-sessions ([a-z]+)/gm);
		expect(named.filter((name) => !Object.hasOwn(COMMANDS, name))).toEqual([]);
	});
});

describe("settings and keys", () => {
	const known = SETTING_KEYS.map(({ name }) => name);

	test.each(READMES)("%s names only settings that exist", (document) => {
		const text = textOf(document);
		const blocks = all(text, /^```jsonc\n([\s\S]*?)^```$/gm).flatMap((block) => {
			const parsed = parseJsonc(block);
			return parsed.ok ? leavesOf(parsed.value) : [`not read: ${block}`];
		});
		const dotted = codeIn(document).filter((code) => /^(?:recap|title|resume)\.[a-zA-Z]+$/.test(code));
		expect([...blocks, ...dotted].filter((key) => !known.includes(key))).toEqual([]);
	});

	test("every setting is named", () => {
		const names = SETTING_KEYS.map(({ leaf }) => leaf);
		expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(readmes))).toEqual([]);
	});

	test("the README names the keys of the board that are not bound by the host", () => {
		const text = textOf("session-resume/README.md").toLowerCase();
		const keys = ACTS.flatMap(({ fixed }) => fixed ?? []);
		expect(keys.filter((key) => !text.includes(key))).toEqual([]);
	});

	test("every shortcut is described with its default and its name in keybindings.json", () => {
		for (const { id, key } of Object.values(SHORTCUTS)) {
			expect(readmes).toContain(id);
			expect(readmes).toContain(`\`${key}\``);
		}
	});
});

/** The keys of a settings object, groups flattened. */
function leavesOf(value: unknown, path: readonly string[] = []): string[] {
	if (typeof value !== "object" || value === null) return [path.join(".")];
	return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, [...path, name]));
}
