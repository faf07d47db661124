import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { SETTING_KEYS } from "../settings/defaults.ts";
import { settingRows } from "../settings/load.ts";
import { sectionsReport, sectionsText } from "./doctor.ts";

const SECTIONS = [
	{
		title: "recap",
		rows: [
			["by itself", "on"],
			["model", "a/b\x1b[2J"],
		],
	},
	{ title: "settings", rows: [["file", "/home/me/.pi/agent/session-suite.json"]] },
] as const;

test("sections are a title and a row a line, aligned over all of them, and safe to show", () => {
	expect(sectionsText(SECTIONS)).toBe(
		[
			"recap",
			"  by itself  on",
			"  model      a/b",
			"settings",
			"  file       /home/me/.pi/agent/session-suite.json",
		].join("\n"),
	);
});

test("a report is Markdown, and does not give away whose it is", () => {
	const project = "/home/me/client-x";
	const named = { title: "problems", rows: [["", `${project}/.pi/session-suite.json is broken`]] } as const;
	expect(sectionsReport([...SECTIONS, named], { home: "/home/me", project })).toBe(
		[
			"### recap",
			"",
			"- **by itself** on",
			"- **model** a/b",
			"",
			"### settings",
			"",
			"- **file** ~/.pi/agent/session-suite.json",
			"",
			"### problems",
			"",
			"- <project>/.pi/session-suite.json is broken",
		].join("\n"),
	);
});

describe("a secret in a setting stays out of the report", () => {
	const SECRETS = [
		"sk-proj-Qm7vX2pLr9TzK4wNbYs8HdJc5GfA1eRuT3xZ6oPq",
		"ghp_Zx81mQvT4rLpW7sKd92hNcYbG3uJfE5oAaRt",
		"https://bot:hunter2-Xq81@models.example/v1",
	];
	let root = "";
	beforeEach(() => {
		root = mkdtempSync(join(tmpdir(), "pi-suite-report-"));
		mkdirSync(join(root, "agent"));
		mkdirSync(join(root, "project", ".pi"), { recursive: true });
	});
	afterEach(() => rmSync(root, { recursive: true, force: true }));

	const names = SETTING_KEYS.map(({ name }) => name);
	test.each([...names, "recap", "unknown", "recap.unknown"])("%s", (name) => {
		const path = name.split(".");
		for (const secret of SECRETS) {
			for (const value of [secret, `openai/${secret}`, [secret], { [secret]: secret }]) {
				const text = JSON.stringify(path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value));
				writeFileSync(join(root, "agent", "session-suite.json"), text);
				writeFileSync(join(root, "project", ".pi", "session-suite.json"), text);
				const rows = settingRows({ agentDir: join(root, "agent"), cwd: join(root, "project") });
				const folders = { home: root, project: join(root, "project") };
				const report = sectionsReport([{ title: "settings", rows }], folders);
				expect(report).not.toContain(secret.slice(8, 20));
				expect(report).not.toContain(root);
				expect(sectionsText([{ title: "settings", rows }])).not.toContain(secret.slice(8, 20));
			}
		}
	});
});
