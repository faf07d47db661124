import { execFileSync } from "node:child_process";
import {
	chmodSync,
	chownSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	symlinkSync,
	truncateSync,
} from "node:fs";
import { join } from "node:path";
import { Value } from "typebox/value";
import { beforeEach, describe, expect, it } from "vitest";
import { put, useTemporaryFolder } from "../store/store.test-support.ts";
import { lastGoodPath } from "./last-good.ts";
import { openSettings } from "./open.ts";
import { SettingsSchema } from "./schema.ts";

const root = useTemporaryFolder();
const agentDir = () => join(root(), "agent");
const cwd = () => join(root(), "project");
const userFile = () => join(agentDir(), "session-suite.json");
const projectFile = () => join(cwd(), ".pi", "session-suite.json");

beforeEach(() => {
	mkdirSync(agentDir(), { recursive: true });
	mkdirSync(join(cwd(), ".pi"), { recursive: true });
});

async function load() {
	const { settings, problems } = await openSettings({ agentDir: agentDir(), cwd: cwd() });
	return {
		settings,
		problems: problems.map((line) => line.replace(userFile(), "USER").replace(projectFile(), "PROJECT")),
	};
}

const DEFAULTS = Value.Create(SettingsSchema);
const QUIET = {
	...DEFAULTS,
	dailyCostLimit: 0,
	recap: { ...DEFAULTS.recap, enabled: false, focus: false },
	title: { enabled: false },
	resume: { ...DEFAULTS.resume, minMessages: 0, pinCard: false },
};

/** Ways in which a file breaks, each with what is said of it. */
const FAULTS: [string, string, (file: string) => void][] = [
	[
		"broken syntax, with its place",
		":3:3: comma expected",
		(file) => put(file, '{\n  "debug": true\n  "title": {}\n}'),
	],
	["a torn write", ":1:12: value expected", (file) => put(file, '{ "debug": ')],
	["blocks that were never written", ":1:1: invalid symbol", (file) => put(file, "\0".repeat(4096))],
	["a list", ": expected an object in braces", (file) => put(file, "[1]")],
	["a word", ": expected an object in braces", (file) => put(file, '"debug"')],
	["no JSON at all", ":1:1: invalid symbol", (file) => put(file, "debug = true")],
	["nesting without end", ":1:1006: nested too deeply", (file) => put(file, "[/**/".repeat(150_000))],
	[
		"a huge file",
		": is larger than 1 MB",
		(file) => {
			put(file, "");
			truncateSync(file, 1024 * 1024 + 1);
		},
	],
	["a folder in its place", ": is not a file", (file) => mkdirSync(file)],
	["a pipe in its place", ": is not a file", (file) => execFileSync("mkfifo", [file])],
	["a link in a circle", ": is a link in a circle", (file) => symlinkSync(file, file)],
	["a link to nothing", ": is a link to nothing", (file) => symlinkSync(join(root(), "gone"), file)],
	["a link to a device", ": is not a file", (file) => symlinkSync("/dev/zero", file)],
];

function breakFile(file: string, fault: (file: string) => void): void {
	rmSync(file, { force: true, recursive: true });
	fault(file);
}

describe.each(FAULTS)("%s", (_, what, fault) => {
	it("keeps what the user's file last said, and says so in one line", async () => {
		put(userFile(), '{ "recap": { "enabled": false, "awaySeconds": 7 } } // mine');
		const before = await load();
		expect(before).toMatchObject({ problems: [], settings: { recap: { enabled: false, awaySeconds: 7 } } });
		breakFile(userFile(), fault);
		const problems = [`USER${what}; keeping what it last said`];
		// Again and again: what is broken does not become what it last said.
		for (let time = 0; time < 2; time++) expect(await load()).toEqual({ ...before, problems });
		breakFile(userFile(), (file) => put(file, '{ "recap": { "enabled": true } }'));
		expect((await load()).settings.recap.enabled).toBe(true);
	});

	it("turns on nothing of which nobody knows whether the user had turned it off", async () => {
		breakFile(userFile(), fault);
		const problems = [`USER${what}; nothing happens by itself until it is mended`];
		expect(await load()).toEqual({ settings: QUIET, problems });
		expect(readdirSync(agentDir()).filter((name) => name.includes("last-good"))).toEqual([]);
	});

	it("in a project keeps it as quiet as it was", async () => {
		put(projectFile(), '{ "title": { "enabled": false } }');
		const before = await load();
		breakFile(projectFile(), fault);
		expect(await load()).toEqual({
			settings: { ...before.settings, title: { enabled: false } },
			problems: [`PROJECT${what}; keeping what it last said`],
		});
	});

	it("in a project of which nothing is known keeps everything quiet", async () => {
		put(userFile(), '{ "debug": true, "fastModel": "a/b", "resume": { "idleMinutes": 5 } }');
		breakFile(projectFile(), fault);
		expect(await load()).toEqual({
			settings: { ...QUIET, fastModel: "a/b" },
			problems: [`PROJECT${what}; nothing happens by itself until it is mended`],
		});
	});
});

it("a file that lost its content keeps what it said; one that never said anything says nothing", async () => {
	put(userFile(), '{ "recap": { "enabled": false } }');
	await load();
	put(userFile(), "");
	expect(await load()).toMatchObject({
		settings: { recap: { enabled: false } },
		problems: ["USER: is empty; keeping what it last said"],
	});
	put(userFile(), "{}");
	expect(await load()).toEqual({ settings: DEFAULTS, problems: [] });
	put(userFile(), "\n");
	expect(await load()).toEqual({ settings: DEFAULTS, problems: [] });
});

it.each([
	[{ recap: { enabled: "off" } }, 'recap.enabled: found "off", expected true or false'],
	[{ recap: false }, "recap: found false, expected an object in braces"],
])("a value that cannot be used keeps what the file said there: %j", async (broken, line) => {
	put(userFile(), '{ "recap": { "enabled": false } }');
	await load();
	put(userFile(), JSON.stringify(broken));
	const problems = [`USER: ${line}; keeping what it last said`];
	for (let time = 0; time < 2; time++) {
		expect(await load()).toEqual({
			settings: { ...DEFAULTS, recap: { ...DEFAULTS.recap, enabled: false } },
			problems,
		});
	}
});

it("a file that is gone says nothing: its user took it away", async () => {
	put(userFile(), '{ "recap": { "enabled": false } }');
	await load();
	rmSync(userFile());
	expect(await load()).toEqual({ settings: DEFAULTS, problems: [] });
});

/** Root reads everything, so there somebody else looks. */
const isRoot = process.getuid?.() === 0;
const NOBODY = 65_534;

async function asUser<T>(act: () => Promise<T>): Promise<T> {
	if (isRoot) process.seteuid?.(NOBODY);
	try {
		return await act();
	} finally {
		if (isRoot) process.seteuid?.(0);
	}
}

it.skipIf(process.platform === "win32")(
	"a file that `sudo` left to another owner keeps what it last said",
	async () => {
		for (const folder of isRoot ? [root(), agentDir()] : []) chownSync(folder, NOBODY, NOBODY);
		await asUser(async () => {
			put(userFile(), '{ "recap": { "enabled": false } }');
			await load();
		});
		rmSync(userFile());
		put(userFile(), '{ "recap": { "enabled": true } }');
		chmodSync(userFile(), isRoot ? 0o600 : 0);
		expect(await asUser(load)).toMatchObject({
			settings: { recap: { enabled: false } },
			problems: ["USER: cannot be read; check its owner and permissions; keeping what it last said"],
		});
	},
);

describe("the copy of what a file last said", () => {
	it("is private, stands beside the user's file, and is written only when that says something else", async () => {
		put(userFile(), '{ "recap": { "enabled": false } }');
		await load();
		const copy = `${userFile()}.last-good`;
		const first = statSync(copy);
		expect(first.mode & 0o777).toBe(0o600);
		put(userFile(), '{ "recap": { "enabled": false } } // the same, in other words');
		await load();
		expect(statSync(copy).ino).toBe(first.ino);
		put(userFile(), '{ "recap": { "enabled": true } }');
		await load();
		expect(readFileSync(copy, "utf8")).toContain('"enabled": true');
	});

	it("holds nothing but settings of ours", async () => {
		put(userFile(), '{ "theirs": "secret", "recap": { "enabled": false, "mood": "x" } }');
		await load();
		expect(JSON.parse(readFileSync(`${userFile()}.last-good`, "utf8"))).toEqual({
			recap: { enabled: false },
		});
	});

	it("of a project leaves no trace in the project", async () => {
		put(projectFile(), '{ "title": { "enabled": false } }');
		await load();
		expect(readdirSync(join(cwd(), ".pi"))).toEqual(["session-suite.json"]);
		expect(statSync(lastGoodPath(agentDir(), projectFile())).mode & 0o777).toBe(0o600);
	});

	it.each([
		["damaged", (copy: string) => put(copy, '{ "recap": ')],
		["a pipe", (copy: string) => execFileSync("mkfifo", [copy])],
		["a link", (copy: string) => symlinkSync(put(join(root(), "elsewhere"), "{}"), copy)],
	])("that is %s is none", async (_, fault) => {
		fault(`${userFile()}.last-good`);
		put(userFile(), "{");
		expect((await load()).settings).toEqual(QUIET);
	});

	it("cannot turn on what a project may not", async () => {
		put(lastGoodPath(agentDir(), projectFile()), '{ "resume": { "generator": "llm" }, "debug": true }');
		put(projectFile(), "{");
		expect((await load()).settings).toEqual(DEFAULTS);
	});
});

it("a project folder with a hostile name is shown as plain text", async () => {
	const hostile = join(cwd(), "x\x1b[31m\ny");
	mkdirSync(join(hostile, ".pi", "session-suite.json"), { recursive: true });
	const { problems } = await openSettings({ agentDir: agentDir(), cwd: hostile });
	expect(problems).toEqual([
		`${cwd()}/x y/.pi/session-suite.json: is not a file; nothing happens by itself until it is mended`,
	]);
});
