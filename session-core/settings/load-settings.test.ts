import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { rowsOf } from "../../test/support/table.ts";
import { useTemporaryFolder } from "../log/session.test-support.ts";
import { parseJsonc } from "../text/settings-file.ts";
import { loadSettings, openSettings, recapSwitchPath, switchRecaps } from "./load-settings.ts";
import { defaultSettings } from "./settings.ts";

const root = useTemporaryFolder();
const folders = () => ({ agentDir: join(root(), "agent"), project: join(root(), "project", ".pi") });
const userFile = () => join(folders().agentDir, "session-suite.json");
const projectFile = () => join(folders().project, "session-suite.json");

beforeEach(() => {
	mkdirSync(folders().agentDir);
	mkdirSync(dirname(projectFile()), { recursive: true });
});

const DEFAULTS = defaultSettings();
const QUIET = {
	...DEFAULTS,
	dailyCostLimit: 0,
	recap: { ...DEFAULTS.recap, enabled: false, focus: false },
	title: { enabled: false },
	recall: { enabled: false },
	resume: { ...DEFAULTS.resume, enabled: false, minMessages: 0, pinCard: false, tabTitle: false },
	live: { answers: false, overlaps: false },
};

function put(file: string, content: unknown): void {
	writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
}

function load({ user, project }: { user?: unknown; project?: unknown } = {}) {
	if (user !== undefined) put(userFile(), user);
	if (project !== undefined) put(projectFile(), project);
	const { settings, problems } = loadSettings(folders());
	return {
		settings,
		problems: problems.map((line) => line.replace(userFile(), "USER").replace(projectFile(), "PROJECT")),
	};
}

describe("the user's file", () => {
	const changes = { fastModel: "openrouter/qwen/qwen3", recap: { awaySeconds: 30, model: "a/b" }, title: {} };
	const commented = `\ufeff// mine\n${JSON.stringify(changes).replace(/}$/, ", /* } */ }")}\n`;

	it.each([
		["need not exist", undefined, {}],
		["names only what it changes", changes, { ...changes, recap: { ...DEFAULTS.recap, ...changes.recap } }],
		["may have comments, trailing commas and a byte order mark", commented, { fastModel: changes.fastModel }],
	])("%s", (_, user, expected) => {
		const { settings, problems } = load({ user });
		expect(problems).toEqual([]);
		expect(settings).toMatchObject({ ...DEFAULTS, recap: {}, ...expected, title: DEFAULTS.title });
	});

	it("may be a symlink to a file elsewhere", () => {
		const target = join(root(), "dotfile.json");
		put(target, { debug: true });
		symlinkSync(target, userFile());
		expect(load().settings.debug).toBe(true);
	});
});

it("comments and commas within strings are text", () => {
	fc.assert(
		fc.property(fc.jsonValue(), fc.constantFrom("", " ", "// x\n", "/* , } */"), (value, gap) => {
			const text = `${gap}${JSON.stringify({ value, "a//b": "/*,}" }, null, 1)}${gap}`;
			expect(parseJsonc(text)).toEqual({
				ok: true,
				value: JSON.parse(JSON.stringify({ value, "a//b": "/*,}" })),
			});
		}),
	);
});

it.each(['"\\', '"', "/*", ",", "[", "/"])("a megabyte of %j is read before the test times out", (piece) => {
	parseJsonc(piece.repeat(1024 * 1024));
});

/**
 * The first column is the content of a user's file. The second is the one line that is reported about
 * it.
 */
const PROBLEMS = `
{ "debug": "yes" } | debug: found "yes", expected true or false; using the default
{ "dailyCostLimit": -1 } | dailyCostLimit: found -1, expected a number of at least 0; using the default
{ "recap": { "awaySeconds": "90" } } | recap.awaySeconds: found "90", expected a number of at least 0; using the default
{ "resume": { "minMessages": 2.5 } } | resume.minMessages: found 2.5, expected a whole number of at least 0; using the default
{ "resume": { "generator": "ai" } } | resume.generator: found "ai", expected "heuristic" or "llm"; using the default
{ "fastModel": "haiku" } | fastModel: found "haiku", expected "provider/model"; using the default
{ "recap": false } | recap: found false, expected an object such as { "enabled": false }; using the defaults
{ "live": "off" } | live: found "off", expected an object such as { "answers": true }; using the defaults
{ "dailyCostLimt": 1 } | unknown setting "dailyCostLimt" is ignored. Did you mean "dailyCostLimit"?
{ "recap": { "away_seconds": 1 } } | unknown setting "recap.away_seconds" is ignored. Did you mean "recap.awaySeconds"?
{ "awaySeconds": 1 } | unknown setting "awaySeconds" is ignored. Did you mean "recap.awaySeconds"?
`;

describe("a setting that cannot be used is reported in one line, and the default is used", () => {
	it.each(rowsOf(PROBLEMS))("%s", (user, line) => {
		expect(load({ user })).toEqual({ settings: DEFAULTS, problems: [`USER: ${line}`] });
	});

	it("however hostile it is", () => {
		const { problems } = load({ user: { fastModel: `\x1b]0;x\x07\n\u202e${"a ".repeat(5000)}` } });
		expect(problems).toHaveLength(1);
		expect(problems[0]).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202e]/);
		expect(problems[0]?.length).toBeLessThan(140);
		expect(load({ user: '{"__proto__": {"debug": true}}' }).settings).toEqual(DEFAULTS);
		expect(load({ user: '{"recap": {"__proto__": {"focus": false}}}' }).settings).toEqual(DEFAULTS);
	});

	it("unless it is one of twenty thousand, of which five are reported, or the schema's address", () => {
		const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`xyz${index}`, 1]));
		expect(load({ user: many }).problems).toHaveLength(5);
		expect(load({ user: { $schema: "https://example.org/schema.json" } }).problems).toEqual([]);
	});
});

/** This regular file reports a size of 0 but is endless, so reading it would take seconds. */
const ENDLESS = "/proc/self/pagemap";
const LARGE = " is larger than 256 KB";
const LINKS: typeof FAULTS = [
	["a symlink to an endless file", (file) => symlinkSync(ENDLESS, file), LARGE, " is a symlink"],
	["a symlink to a device", (file) => symlinkSync("/dev/zero", file), " is not a file", " is a symlink"],
];

/**
 * Faults in a settings file, with the messages for a user's file and for a project's file. A truncated
 * file turns off every automatic feature, even if it is a project's file, because the file may turn any
 * of these features off.
 */
const FAULTS: [string, (file: string) => void, user: string, project?: string][] = [
	["broken", (file) => put(file, '{\n"debug": true\n"title": {}}'), " is not valid JSON: see line 3"],
	["torn", (file) => put(file, '{ "debug": '), " is not valid JSON"],
	["empty, as after a full disk", (file) => put(file, ""), " is empty"],
	["a dangling symlink", (file) => symlinkSync(join(root(), "gone"), file), " cannot be read (ENOENT)"],
	["a folder", (file) => mkdirSync(file), " is not a file", " is not a file"],
	["a pipe", (file) => execFileSync("mkfifo", [file]), " is not a file", " is not a file"],
	["a symlink cycle", (file) => symlinkSync(file, file), " cannot be read", " is a symlink"],
	["comments only", (file) => put(file, "/**/".repeat(10 << 20)), LARGE, LARGE],
	["too large", (file) => put(file, "[".repeat(300_000)), LARGE, LARGE],
	...(process.platform === "linux" ? LINKS : []),
];

describe("a file that cannot be read", () => {
	it.each(FAULTS)("turns every automatic feature off if it is the user's: %s", (_, fault, what) => {
		fault(userFile());
		switchRecaps(folders().agentDir, true);
		const { settings, problems } = load();
		expect(settings).toEqual(QUIET);
		expect(problems).toHaveLength(1);
		expect(problems[0]).toMatch(/^USER .*; automatic features are off until it is fixed$/);
		expect(problems[0]).toContain(what);
	});

	it("turns every automatic feature off if it is a project's, too, but what the user named stays", () => {
		const { settings, problems } = load({ user: { debug: true, fastModel: "a/b" }, project: '{ "title": ' });
		expect(settings).toEqual({ ...QUIET, fastModel: "a/b" });
		expect(problems).toEqual([
			expect.stringMatching(/^PROJECT is not valid JSON.*; automatic features are off until it is fixed$/),
		]);
	});

	it.each(FAULTS.filter(([, , , project]) => project !== undefined))(
		"is ignored if it is a project's and no file of its own, and reported once: %s",
		(_, fault, __, what) => {
			put(userFile(), { debug: true });
			fault(projectFile());
			expect(load()).toEqual({
				settings: { ...DEFAULTS, debug: true },
				problems: [`PROJECT${what}, so it is ignored`],
			});
			const told: string[] = [];
			const reader = openSettings(folders(), (line) => told.push(line));
			expect(reader.current()).toBe(reader.current());
			expect(told).toHaveLength(1);
		},
	);

	it("has more than 256 KB", () => {
		put(projectFile(), JSON.stringify({ title: { enabled: false } }).padEnd(256 * 1024));
		expect(load()).toMatchObject({ settings: { title: { enabled: false } }, problems: [] });
	});
});

it("session-resume does nothing automatically if it is switched off", () => {
	const user = { resume: { enabled: false, notify: true, idleMinutes: 5 } };
	const quiet = { ...DEFAULTS.resume, enabled: false, minMessages: 0, pinCard: false, tabTitle: false };
	expect(load({ user })).toEqual({ settings: { ...DEFAULTS, resume: quiet }, problems: [] });
});

describe("a project's file", () => {
	it("may make everything quieter", () => {
		const project = {
			debug: false,
			dailyCostLimit: 0.1,
			recap: { enabled: false, includeProjectContext: false, awaySeconds: 600, idleSeconds: 999 },
			title: { enabled: false },
			resume: { pinCard: false, notify: false, minMessages: 20, idleMinutes: 0 },
		};
		const user = {
			debug: true,
			recap: { includeProjectContext: true },
			resume: { idleMinutes: 5, notify: true },
		};
		const { settings, problems } = load({ user, project });
		expect(settings).toMatchObject(project);
		expect(problems).toEqual([]);
	});

	it.each(
		rowsOf(`
fastModel | { "fastModel": "evil/model" }
dailyCostLimit | { "dailyCostLimit": 0.6 }
resume.generator | { "resume": { "generator": "llm" } }
resume.idleMinutes | { "resume": { "idleMinutes": 1 } }
`),
	)("may not make anything louder: %s", (name, project) => {
		expect(load({ project })).toEqual({
			settings: DEFAULTS,
			problems: [`PROJECT: ignored ${name}: a project's settings can only make the suite quieter`],
		});
	});

	it("may not switch on what the user switched off, nor raise a lower limit", () => {
		const off = { dailyCostLimit: 0, recap: { enabled: false }, resume: { minMessages: 0 } };
		const on = { dailyCostLimit: 0.4, recap: { enabled: true }, resume: { minMessages: 30 } };
		expect(load({ user: off, project: on }).settings).toMatchObject(off);
	});

	it("never spends more, sends elsewhere or speaks up sooner, whatever it holds", () => {
		const value = fc.oneof(
			fc.boolean(),
			fc.double(),
			fc.integer(),
			fc.constantFrom("a/b", "llm", null, [], {}, "x"),
		);
		const inner = Object.values(DEFAULTS).flatMap((group) =>
			typeof group === "object" ? Object.keys(group) : [],
		);
		const group = fc.dictionary(fc.constantFrom(...inner, "model"), value);
		const names = [...Object.keys(DEFAULTS), "fastModel"];
		fc.assert(
			fc.property(fc.dictionary(fc.constantFrom(...names), fc.oneof(value, group)), (project) => {
				const { settings } = load({ project });
				expect(settings.fastModel ?? settings.recap.model ?? settings.title.model).toBeUndefined();
				expect(settings.dailyCostLimit).toBeLessThanOrEqual(0.5);
				expect(settings.recap.awaySeconds).toBeGreaterThanOrEqual(90);
				expect(settings.recap.idleSeconds).toBeGreaterThanOrEqual(120);
				expect(settings.recap.focusMinSeconds).toBeGreaterThanOrEqual(3);
				expect(settings.recap.includeProjectContext || settings.debug).toBe(false);
				expect(settings.resume).toMatchObject({ generator: "heuristic", idleMinutes: 0, notify: false });
			}),
			{ numRuns: 60 },
		);
	});
});

describe("/recap on and /recap off", () => {
	const enabled = () => load().settings.recap.enabled;

	it("win over the user's file, which is never written", () => {
		put(userFile(), '{ "recap": { "enabled": true } } // mine');
		switchRecaps(folders().agentDir, false);
		expect(enabled()).toBe(false);
		put(userFile(), { recap: { enabled: false } });
		switchRecaps(folders().agentDir, true);
		expect(enabled()).toBe(true);
		expect(readFileSync(userFile(), "utf8")).toBe('{"recap":{"enabled":false}}');
		expect(statSync(recapSwitchPath(folders().agentDir)).mode & 0o777).toBe(0o600);
	});

	it("do not win over a project", () => {
		put(projectFile(), { recap: { enabled: false } });
		switchRecaps(folders().agentDir, true);
		expect(enabled()).toBe(false);
	});

	it("decide nothing else, whatever their file holds, and repair it", () => {
		switchRecaps(folders().agentDir, true);
		put(recapSwitchPath(folders().agentDir), { dailyCostLimit: 99, recap: { model: "evil/model" } });
		expect(load().settings).toEqual(DEFAULTS);
		put(recapSwitchPath(folders().agentDir), "torn");
		expect(load().settings).toEqual(QUIET);
		switchRecaps(folders().agentDir, true);
		expect(load()).toEqual({ settings: DEFAULTS, problems: [] });
	});
});

it("a reader sees what another process saves, and warns of what is wrong with it", () => {
	const warned: string[] = [];
	const reader = openSettings(folders(), (problem) => warned.push(problem));
	const before = reader.current();
	expect(reader.current()).toBe(before);
	put(userFile(), { dailyCostLimit: 0 });
	expect(reader.current().settings.dailyCostLimit).toBe(0);
	switchRecaps(folders().agentDir, false);
	expect(reader.current().settings.recap.enabled).toBe(false);
	put(projectFile(), { title: { enabled: false } });
	expect(reader.current().settings.title.enabled).toBe(false);
	expect(warned).toEqual([]);
	put(userFile(), "{");
	expect(reader.current().settings).toEqual(QUIET);
	expect(warned).toHaveLength(1);
	rmSync(userFile());
	expect(reader.current().settings.dailyCostLimit).toBe(0.5);
});

it("the doctor says what decided each setting, and what is wrong", () => {
	put(userFile(), { recap: { idleSeconds: 300, awaySeconds: "x" } });
	put(projectFile(), { title: { enabled: false } });
	switchRecaps(folders().agentDir, false);
	expect(openSettings(folders()).rows()).toEqual([
		["file", userFile()],
		["recap.enabled", "false (set by /recap on or off)"],
		["recap.idleSeconds", "300 (set in the settings file)"],
		["title.enabled", "false (set in the project's .pi/session-suite.json)"],
		["all others", "default values"],
		["problem", expect.stringContaining("recap.awaySeconds")],
	]);
});
