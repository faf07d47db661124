import { join } from "node:path";
import { expect, test } from "vitest";
import { put, useTemporaryFolder } from "../../log/session.test-support.ts";
import { settingRows } from "../load-settings.ts";
import { SETTING_KEYS } from "../settings.ts";
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

const root = useTemporaryFolder();

test.each([...SETTING_KEYS.map(({ name }) => name), "recap", "unknown", "recap.unknown"])(
	"a secret in the setting %s stays out of the report",
	(name) => {
		const secret = "sk-proj-Qm7vX2pLr9TzK4wNbYs8HdJc5GfA1eRuT3xZ6oPq";
		const folders = { agentDir: join(root(), "agent"), cwd: join(root(), "project") };
		for (const value of [secret, `openai/${secret}`, [secret], { [secret]: secret }]) {
			const text = JSON.stringify(
				name.split(".").reduceRight<unknown>((inner, key) => ({ [key]: inner }), value),
			);
			put(join(folders.agentDir, "session-suite.json"), text);
			put(join(folders.cwd, ".pi", "session-suite.json"), text);
			const sections = [{ title: "settings", rows: settingRows(folders) }];
			const report = sectionsReport(sections, { home: root(), project: folders.cwd });
			expect(report + sectionsText(sections)).not.toContain(secret.slice(8, 20));
		}
	},
);
