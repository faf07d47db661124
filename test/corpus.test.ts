import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { SessionManager } from "@mariozechner/pi-coding-agent";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { heuristicRecap, offlineRecap } from "../session-core/recap/heuristic.ts";
import { recapLines } from "../session-core/recap/lines.ts";
import { recapText } from "../session-core/recap/text.ts";
import { walkBranch } from "../session-core/session-file/branch.ts";
import { hostSource } from "../session-core/session-file/entry.ts";
import { displayWidth } from "../session-core/text/clip.ts";
import { RENDER_BOUND, renderTimeline } from "../session-core/timeline/render.ts";
import { readTimeline } from "../session-core/timeline/timeline.ts";
import type { Timeline } from "../session-core/timeline/types.ts";
import { faultsIn } from "./support/faulty-forms.ts";
import { NOTABLE } from "./support/notable-moments.ts";

const corpus = fileURLToPath(new URL("../../shared/sessions", import.meta.url));
const files = existsSync(corpus)
	? readdirSync(corpus, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".jsonl"))
	: [];
const STAMP = { id: "1", subjectId: "2", createdAt: 3 };

describe.skipIf(files.length === 0)("real sessions", () => {
	let folder = "";
	beforeAll(() => {
		folder = mkdtempSync(join(tmpdir(), "corpus-"));
	});
	afterAll(() => rmSync(folder, { recursive: true, force: true }));

	/** The session of a copy cut at a line; the host rewrites old versions when it opens them. */
	function sessionAt(file: string, line = Number.MAX_SAFE_INTEGER): SessionManager {
		const lines = readFileSync(join(corpus, file), "utf8").split("\n").slice(0, line);
		const copy = join(folder, `${line}-${basename(file)}`);
		writeFileSync(copy, `${lines.join("\n")}\n`);
		return SessionManager.open(copy);
	}

	function timelineAt(file: string, line?: number): Timeline {
		const manager = sessionAt(file, line);
		return readTimeline(walkBranch(hostSource(manager)), { cwd: manager.getCwd() });
	}

	/** The timeline at every so many entries, without a copy for each. */
	function* timelinesOf(file: string, every: number): Generator<{ at: number; timeline: Timeline }> {
		const manager = sessionAt(file);
		const cwd = manager.getCwd();
		const entries = hostSource(manager).getEntries();
		const byId = new Map(entries.map((entry) => [entry.id, entry]));
		for (let at = every; at < entries.length + every; at += every) {
			const known = entries.slice(0, at);
			const slice = walkBranch({
				getLeafEntry: () => known.at(-1),
				getEntry: (id) => byId.get(id),
				getEntries: () => known,
			});
			yield { at, timeline: readTimeline(slice, { cwd }) };
		}
	}

	it.each(files)("%s has a bounded rendering and a card of the promised shape", (file) => {
		const timeline = timelineAt(file);
		expect(renderTimeline(timeline).length).toBeLessThanOrEqual(RENDER_BOUND);
		const recap = heuristicRecap(timeline, STAMP);
		const text = recapText(recap);
		expect(text.length).toBeLessThanOrEqual(700);
		expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
		expect(displayWidth(recap.headline)).toBeLessThanOrEqual(80);
		expect(recap.headline).not.toMatch(/[.,;:。、]$/);
		expect(recap.bullets.length).toBeLessThanOrEqual(5);
		expect(recap.next_actions.length).toBeLessThanOrEqual(3);
		expect(recap.artifacts.length).toBeLessThanOrEqual(4);
	});

	it.each(files)("%s reads as whole thoughts wherever it is left", (file) => {
		const faults: string[] = [];
		for (const { at, timeline } of timelinesOf(file, 25)) {
			expect(renderTimeline(timeline).length).toBeLessThanOrEqual(RENDER_BOUND);
			const offline = offlineRecap(timeline, STAMP);
			const { recap } = offline;
			expect(recapText(recap).length).toBeLessThanOrEqual(700);
			const found = [...faultsIn(recapText(recap)), ...faultsIn(recapLines(offline).join("\n"))];
			faults.push(...found.map((fault) => `entry ${at}: ${fault}`));
		}
		expect(faults).toEqual([]);
	});

	it.each(NOTABLE)("$file:$line: $why", (moment) => {
		const { file, line, expected, request, headline, links = [], absent, files = [] } = moment;
		const timeline = timelineAt(file, line);
		expect(timeline).toMatchObject(expected);
		const requests = timeline.turns.map((turn) => turn.request ?? "");
		expect(requests.at(-1)).toSatisfy((text: string) => text.startsWith(request));
		if (headline !== undefined) expect(heuristicRecap(timeline, STAMP).headline).toBe(headline);
		const locators = timeline.links.map(({ locator }) => locator);
		expect(locators).toEqual(expect.arrayContaining(links));
		if (absent) expect(locators.filter((locator) => absent.test(locator))).toEqual([]);
		expect(timeline.files.map(({ path }) => path)).toEqual(expect.arrayContaining(files));
	});

	it("is nothing where the file is no session", () => {
		const timeline = timelineAt("mattpocock-sandcastle/stream-stdout.jsonl");
		expect(timeline).toMatchObject({ turns: [], messages: 0, outcome: "done" });
	});
});
