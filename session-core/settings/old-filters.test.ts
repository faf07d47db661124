import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { useTemporaryFolder } from "../session-file/session.test-support.ts";
import { oldFilters } from "./old-filters.ts";

const folder = useTemporaryFolder();

test("a filter that excludes an extension by its former entry point is named, with the setting that replaces it", () => {
	const folders = { agentDir: folder(), cwd: join(folder(), "project") };
	expect(oldFilters(folders)).toEqual([]);
	const source = "npm:pi-session-suite";
	const put = (file: string, ...packages: unknown[]) => writeFileSync(file, JSON.stringify({ packages }));
	put(join(folders.agentDir, "settings.json"), source, { source, extensions: ["-session-title/index.ts"] });
	mkdirSync(join(folders.cwd, ".pi"), { recursive: true });
	put(
		join(folders.cwd, ".pi/settings.json"),
		{ source, extensions: ["index.ts", "!session-resume/**"] },
		null,
	);
	expect(oldFilters(folders)).toEqual([
		expect.stringMatching(/"-session-title\/index\.ts".*Set "title": \{ "enabled": false \}/),
		expect.stringMatching(/"!session-resume\/\*\*".*Set "resume": \{ "enabled": false \}/),
	]);
});
