import { expect, test } from "vitest";
import { sectionsReport, sectionsText } from "./section.ts";

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
	expect(sectionsReport(SECTIONS, "/home/me")).toBe(
		[
			"### recap",
			"",
			"- **by itself** on",
			"- **model** a/b",
			"",
			"### settings",
			"",
			"- **file** ~/.pi/agent/session-suite.json",
		].join("\n"),
	);
});
