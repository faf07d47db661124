import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadSettings } from "./load.ts";

let agentDir: string;
let cwd: string;
let userFile: string;
let projectFile: string;
beforeEach(() => {
	const root = mkdtempSync(join(tmpdir(), "settings-"));
	agentDir = join(root, "agent");
	cwd = join(root, "project");
	mkdirSync(agentDir);
	mkdirSync(join(cwd, ".pi"), { recursive: true });
	userFile = join(agentDir, "session-suite.json");
	projectFile = join(cwd, ".pi", "session-suite.json");
});
afterEach(() => rmSync(join(agentDir, ".."), { recursive: true, force: true }));

const DEFAULTS = {
	dailyCostLimit: 0.5,
	debug: false,
	recap: {
		enabled: true,
		awaySeconds: 90,
		focusMinSeconds: 3,
		idleSeconds: 120,
		focus: true,
		includeProjectContext: false,
	},
	title: { enabled: true },
	resume: { generator: "heuristic", idleMinutes: 0, minMessages: 8, notify: false, pinCard: true },
};

async function load({ user, project }: { user?: unknown; project?: unknown }) {
	const write = (file: string, content: unknown) =>
		writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
	if (user !== undefined) write(userFile, user);
	if (project !== undefined) write(projectFile, project);
	const loaded = await loadSettings({ agentDir, cwd });
	const problems = loaded.problems.map((line) =>
		line.replace(userFile, "USER").replace(projectFile, "PROJECT"),
	);
	return { settings: loaded.settings, problems };
}

describe("the user's file", () => {
	it("need not exist", async () => {
		expect(await load({})).toEqual({ settings: DEFAULTS, problems: [] });
	});

	it("names only what it changes", async () => {
		const { settings, problems } = await load({
			user: {
				fastModel: "openrouter/qwen/qwen3",
				recap: { awaySeconds: 30, model: "a/b" },
				title: { enabled: false },
			},
		});
		expect(problems).toEqual([]);
		expect(settings).toEqual({
			...DEFAULTS,
			fastModel: "openrouter/qwen/qwen3",
			recap: { ...DEFAULTS.recap, awaySeconds: 30, model: "a/b" },
			title: { enabled: false },
		});
	});

	it("may have comments, trailing commas and a byte order mark", async () => {
		const text = '\ufeff// mine\n{\n  "debug": true, /* for now */\n  "recap": { "enabled": false, },\n}\n';
		const { settings, problems } = await load({ user: text });
		expect(problems).toEqual([]);
		expect(settings).toMatchObject({ debug: true, recap: { enabled: false } });
	});

	it.each(["", "  \n", "// nothing yet\n", "{}"])("may say nothing: %j", async (user) => {
		expect(await load({ user })).toEqual({ settings: DEFAULTS, problems: [] });
	});

	it("may be a link to a file elsewhere", async () => {
		const target = join(cwd, "dotfile.json");
		writeFileSync(target, '{"debug":true}');
		symlinkSync(target, userFile);
		expect((await load({})).settings.debug).toBe(true);
	});
});

describe("a value that cannot be used is said in one line, and its default holds", () => {
	it.each([
		[{ debug: "yes" }, 'debug: found "yes", expected true or false'],
		[{ dailyCostLimit: -1 }, "dailyCostLimit: found -1, expected a number from 0"],
		[{ dailyCostLimit: null }, "dailyCostLimit: found null, expected a number from 0"],
		[{ recap: { awaySeconds: "90" } }, 'recap.awaySeconds: found "90", expected a number from 0'],
		[{ recap: { idleSeconds: [1] } }, "recap.idleSeconds: found a list, expected a number from 0"],
		[{ recap: { focus: {} } }, "recap.focus: found an object, expected true or false"],
		[{ resume: { minMessages: 2.5 } }, "resume.minMessages: found 2.5, expected a whole number from 0"],
		[{ resume: { generator: "ai" } }, 'resume.generator: found "ai", expected "heuristic" or "llm"'],
		[
			{ language: "german" },
			'language: found "german", expected "en" or "zh" or "ja" or "ko" or "de" or "fr" or "es" or "pt" or "ru"',
		],
		[{ fastModel: "haiku" }, 'fastModel: found "haiku", expected "provider/model"'],
	])("%j", async (user, line) => {
		expect(await load({ user })).toEqual({
			settings: DEFAULTS,
			problems: [`USER: ${line}; using the default`],
		});
	});

	it("a group that is none", async () => {
		expect(await load({ user: { recap: false } })).toEqual({
			settings: DEFAULTS,
			problems: ["USER: recap: found false, expected an object in braces; using the defaults"],
		});
	});

	it("beside others that can", async () => {
		const { settings, problems } = await load({ user: { debug: 1, recap: { awaySeconds: 10, focus: 0 } } });
		expect(settings).toEqual({ ...DEFAULTS, recap: { ...DEFAULTS.recap, awaySeconds: 10 } });
		expect(problems).toHaveLength(2);
	});

	it("however hostile it is", async () => {
		const { problems } = await load({ user: { fastModel: `\x1b]0;x\x07\n\u202e${"a ".repeat(5000)}` } });
		expect(problems).toHaveLength(1);
		expect(problems[0]).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202e]/);
		expect(problems[0]?.length).toBeLessThan(140);
	});
});

describe("unknown keys", () => {
	it.each([
		["dailyCostLimt", "dailyCostLimit"],
		["daily_cost_limit", "dailyCostLimit"],
		["Debug", "debug"],
		["recaps", "recap"],
		["recap.enable", "recap.enabled"],
		["recap.away_seconds", "recap.awaySeconds"],
		["resume.pincard", "resume.pinCard"],
		["awaySeconds", "recap.awaySeconds"],
		["title.pinCard", "resume.pinCard"],
	])("%s is taken for a slip", async (name, meant) => {
		const [group = "", leaf] = name.split(".");
		const user = leaf === undefined ? { [group]: 1 } : { [group]: { [leaf]: 1 } };
		expect(await load({ user })).toEqual({
			settings: DEFAULTS,
			problems: [`USER: unknown key "${name}". Did you mean "${meant}"?`],
		});
	});

	it.each([
		{ theme: "dark", board: { rows: 5 } },
		{ recap: { colour: "red", sound: true, mood: 1 }, resume: { board: {} } },
		{ title: { words: 5, style: "kebab" }, $schema: "https://example.org/schema.json" },
		JSON.parse(
			'{"__proto__": {"debug": true}, "constructor": {"name": 1}, "recap": {"__proto__": {"focus": false}}}',
		),
	])("of others nothing is said: %j", async (user) => {
		expect(await load({ user })).toEqual({ settings: DEFAULTS, problems: [] });
	});

	it("by the thousand cost no time", async () => {
		const names = Array.from({ length: 20_000 }, (_, index) => [`debugg${index}`, 1]);
		const start = performance.now();
		await load({ user: Object.fromEntries(names) });
		expect(performance.now() - start).toBeLessThan(1000);
	});
});

describe("a project's file", () => {
	it("may make everything quieter", async () => {
		const project = {
			debug: false,
			dailyCostLimit: 0.1,
			recap: {
				enabled: false,
				focus: false,
				includeProjectContext: false,
				awaySeconds: 600,
				focusMinSeconds: 9,
				idleSeconds: 999,
			},
			title: { enabled: false },
			resume: { pinCard: false, notify: false, minMessages: 20, idleMinutes: 0 },
		};
		const user = {
			debug: true,
			recap: { includeProjectContext: true },
			resume: { idleMinutes: 5, notify: true },
		};
		const { settings, problems } = await load({ user, project });
		expect(problems).toEqual([]);
		expect(settings).toEqual({ ...DEFAULTS, ...project, resume: { ...DEFAULTS.resume, ...project.resume } });
	});

	it.each([
		{ fastModel: "evil/model" },
		{ debug: true },
		{ dailyCostLimit: 0.6 },
		{ dailyCostLimit: -1 },
		{ recap: { model: "evil/model" } },
		{ recap: { includeProjectContext: true } },
		{ recap: { awaySeconds: 89 } },
		{ recap: { focusMinSeconds: 0 } },
		{ recap: { idleSeconds: "999" } },
		{ title: { model: "evil/model" } },
		{ resume: { generator: "llm" } },
		{ resume: { idleMinutes: 1 } },
		{ resume: { minMessages: 7 } },
		{ resume: { notify: true } },
	])("may not make anything louder: %j", async (project) => {
		const [group = "", value] = Object.entries(project)[0] ?? [];
		const name = typeof value === "object" ? `${group}.${Object.keys(value)[0]}` : group;
		expect(await load({ project })).toEqual({
			settings: DEFAULTS,
			problems: [`PROJECT: ignored ${name}: a project may only make things quieter`],
		});
	});

	it("may not switch on what the user switched off, nor raise a lower limit", async () => {
		const off = {
			dailyCostLimit: 0,
			recap: { enabled: false, focus: false },
			title: { enabled: false },
			resume: { pinCard: false, minMessages: 0 },
		};
		const { settings, problems } = await load({
			user: off,
			project: {
				dailyCostLimit: 0.4,
				recap: { enabled: true, focus: true },
				title: { enabled: true },
				resume: { pinCard: true, minMessages: 30 },
			},
		});
		expect(settings).toMatchObject(off);
		expect(problems).toHaveLength(1);
	});

	it("may say what holds anyway, and things of others", async () => {
		expect(await load({ project: { recap: { enabled: true, awaySeconds: 90 }, theme: 1 } })).toEqual({
			settings: DEFAULTS,
			problems: [],
		});
	});

	it("0 messages are never: quieter than any number", async () => {
		expect((await load({ project: { resume: { minMessages: 0 } } })).settings.resume.minMessages).toBe(0);
	});
});

it("whatever a project says, it never spends more, sends elsewhere or speaks up sooner", async () => {
	const value = fc.oneof(
		fc.boolean(),
		fc.double(),
		fc.integer(),
		fc.string(),
		fc.constantFrom("a/b", "llm", null, [], {}),
	);
	const names = Object.keys(DEFAULTS).concat("fastModel");
	const inner = [
		"enabled",
		"model",
		"awaySeconds",
		"focusMinSeconds",
		"idleSeconds",
		"focus",
		"includeProjectContext",
	];
	const rest = ["generator", "idleMinutes", "minMessages", "notify", "pinCard"];
	const group = fc.dictionary(fc.constantFrom(...inner, ...rest), value);
	const project = fc.dictionary(fc.constantFrom(...names), fc.oneof(value, group));
	await fc.assert(
		fc.asyncProperty(project, async (content) => {
			const { settings } = await load({ project: content });
			expect(settings.fastModel ?? settings.recap.model ?? settings.title.model).toBeUndefined();
			expect(settings.dailyCostLimit).toBeLessThanOrEqual(0.5);
			expect(settings.recap.awaySeconds).toBeGreaterThanOrEqual(90);
			expect(settings.recap.idleSeconds).toBeGreaterThanOrEqual(120);
			expect(settings.recap.focusMinSeconds).toBeGreaterThanOrEqual(3);
			expect(settings.recap.includeProjectContext || settings.debug).toBe(false);
			expect(settings.resume).toMatchObject({ generator: "heuristic", idleMinutes: 0, notify: false });
		}),
		{ numRuns: 200 },
	);
});
