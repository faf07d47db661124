import { join } from "node:path";
import { expect, test } from "vitest";
import { put, useTemporaryFolder } from "../log/session.test-support.ts";
import { openSettings } from "../settings/load-settings.ts";
import { SETTING_KEYS } from "../settings/settings.ts";
import { type DoctorSection, sectionsReport, sectionsText } from "./doctor.ts";

const SECTIONS: DoctorSection[] = [
	{
		title: "recap",
		rows: [
			["by itself", "on"],
			["model", "a/b\x1b[2J"],
		],
	},
	{ title: "problems", rows: [["", "/home/me/client-x/.pi/session-suite.json and /home/me are broken"]] },
];

test("sections are a title and aligned rows, safe to show", () => {
	const [first = "", ...rows] = sectionsText(SECTIONS).split("\n");
	expect([first, ...rows.slice(0, 3)]).toEqual(["recap", "  by itself  on", "  model      a/b", "problems"]);
});

test("a report is Markdown that does not reveal whose it is", () =>
	expect(sectionsReport(SECTIONS, { home: "/home/me", project: "/home/me/client-x" })).toBe(
		"### recap\n\n- **by itself** on\n- **model** a/b\n\n" +
			"### problems\n\n- <project>/.pi/session-suite.json and ~ are broken",
	));

const root = useTemporaryFolder();

test.each([...SETTING_KEYS.map(({ name }) => name), "recap", "unknown", "recap.unknown"])(
	"a secret in the setting %s stays out of the report",
	(name) => {
		const secret = "sk-proj-Qm7vX2pLr9TzK4wNbYs8HdJc5GfA1eRuT3xZ6oPq";
		const cwd = join(root(), "project");
		const folders = { agentDir: join(root(), "agent"), project: join(cwd, ".pi") };
		for (const value of [secret, `openai/${secret}`, [secret], { [secret]: secret }]) {
			const text = JSON.stringify(
				name.split(".").reduceRight<unknown>((inner, key) => ({ [key]: inner }), value),
			);
			put(join(folders.agentDir, "session-suite.json"), text);
			put(join(folders.project, "session-suite.json"), text);
			const sections = [{ title: "settings", rows: openSettings(folders).rows() }];
			const report = sectionsReport(sections, { home: root(), project: cwd });
			expect(report + sectionsText(sections)).not.toContain(secret.slice(8, 20));
		}
	},
);
