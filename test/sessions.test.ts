import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { SessionManager } from "@mariozechner/pi-coding-agent";
import { describe, expect, test } from "vitest";
import { walkBranch } from "../session-core/log/branch.ts";
import { hostSource } from "../session-core/log/entry.ts";
import { useTemporaryFolder } from "../session-core/log/session.test-support.ts";
import { RENDER_BOUND, renderTimeline } from "../session-core/log/timeline/render.ts";
import { readTimeline } from "../session-core/log/timeline/timeline.ts";
import type { Timeline } from "../session-core/log/timeline/turn.ts";
import { ENGLISH } from "../session-core/recap/card-words.ts";
import { offlineRecap, recapLines } from "../session-core/recap/heuristic.ts";
import type { SessionRecord } from "../session-core/recap/record.ts";
import { recapText } from "../session-core/recap/text.ts";
import { displayWidth } from "../session-core/text/clip.ts";
import { faultsIn } from "./support/faulty-forms.ts";

const FOLDER = fileURLToPath(new URL("sessions", import.meta.url));
/** Our own sessions, in every version of the host's format and with different content. */
const FILES = readdirSync(FOLDER).map((name) => name.replace(/\.jsonl$/, ""));

const folder = useTemporaryFolder();

const linesOf = (file: string) =>
	readFileSync(join(FOLDER, `${file}.jsonl`), "utf8")
		.trimEnd()
		.split("\n");

/** The timeline after a line of a copy: the host rewrites old versions when it opens them. */
function timelineAt(file: string, line: number): Timeline {
	const copy = join(folder(), `${line}.jsonl`);
	writeFileSync(copy, `${linesOf(file).slice(0, line).join("\n")}\n`);
	const manager = SessionManager.open(copy);
	return readTimeline(walkBranch(hostSource(manager)), { cwd: manager.getCwd() });
}

const shapeFaults = (recap: SessionRecord, text: string): string[] =>
	Object.entries({
		"more than the documented 1,100 columns, marks of the lines and artifacts": text.length > 1_300,
		"a control character": /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/.test(text),
		"a headline wider than two rows": displayWidth(recap.headline) > 210,
		"a headline that ends in punctuation": /[.,;:。、]$/.test(recap.headline),
		"more than 5 bullets": recap.bullets.length > 5,
		"more than 3 next actions": recap.next_actions.length > 3,
		"more than 4 artifacts": recap.artifacts.length > 4,
	}).flatMap(([fault, isSo]) => (isSo ? [fault] : []));

describe.each(FILES)("%s, cut after any line,", (file) => {
	test("has a bounded rendering and a recap of complete sentences in the documented form", () => {
		const faults: string[] = [];
		for (let line = 1; line <= linesOf(file).length; line++) {
			const timeline = timelineAt(file, line);
			const offline = offlineRecap(timeline, ENGLISH);
			const text = recapText(offline, ENGLISH);
			const found = [
				...(renderTimeline(timeline).length > RENDER_BOUND ? ["an unbounded rendering"] : []),
				...shapeFaults(offline, text),
				...faultsIn(text),
				...faultsIn(recapLines(offline, ENGLISH).join("\n")),
			];
			faults.push(...found.map((fault) => `line ${line}: ${fault}`));
		}
		expect(faults).toEqual([]);
	});
});

test.each([
	[
		"rate-limit-waiting",
		33,
		"a question below a commit, a pull request and a new edit",
		{ outcome: "waiting" },
	],
	[
		"shared-rows-v1",
		34,
		"a run that was aborted after an edit",
		{ outcome: "aborted", endReason: undefined },
	],
	["shared-rows-v1", 38, "a provider error in JSON", { outcome: "error", endReason: "529 Overloaded" }],
	["flaky-upload-v2", 19, "a new branch after /tree", { outcome: "running", messages: 7, files: [] }],
	["flaky-upload-v2", 32, "a branch with a damaged line", { outcome: "done", messages: 19 }],
	["recipe-list-korean", 33, "a question in Korean", { outcome: "waiting" }],
	["rename-package-codemode", 26, "a call without a result", { outcome: "running", endReason: undefined }],
])("%s:%i shows %s", (file, line, _what, expected) => {
	expect(timelineAt(file, line)).toMatchObject(expected);
});

test("a script's edits, which only `nestedCalls` holds, are files of the session", () => {
	const { files, links } = timelineAt("rename-package-codemode", 13);
	expect(links.map(({ locator }) => locator)).toEqual(["e81c0aa"]);
	const names = ["package.json", "docs/install.md", ".github/workflows/publish.yml", "docs/index.md"];
	expect(files.map(({ path }) => path)).toEqual(names);
});
