/**
 * Random sessions whose content is known: every surface must name the newest request, a title one of
 * the branch, and no step may be attributed to a different request.
 */
import { join } from "node:path";
import { expect, test } from "vitest";
import { serveFolder } from "../../test/serve/agent-folder.ts";
import { Serving } from "../../test/serve/serving.ts";
import { anyOf, type Random, seeded } from "../../test/support/random.ts";
import { walkBranch } from "../log/branch.ts";
import { ClaudeLog, CodexLog } from "../log/logs.test-support.ts";
import { put, SessionText, useTemporaryFolder } from "../log/session.test-support.ts";
import { openSessionFile, readWholeSession } from "../log/session-file.ts";
import { readTimeline } from "../log/timeline/timeline.ts";
import { stepsOf, type Timeline } from "../log/timeline/turn.ts";
import { describeSession } from "../sessions/describe.ts";
import { projectFolder, sessionsRoot } from "../sessions/folders.ts";
import { sessionPassages } from "../sessions/search-report.ts";
import { summarize } from "../sessions/summary.ts";
import { listToday } from "../sessions/today.ts";
import { viewOf } from "../sessions/view.ts";
import { ENGLISH } from "./card-words.ts";

const SESSIONS = Number(process.env["READING_SESSIONS"] ?? 500);
const SEED = Number(process.env["PROPERTY_SEED"] ?? 1);
/** Number of pi's sessions that are also listed by the server and by `today`. */
const MOST_LISTED = 100;
const folder = useTemporaryFolder();

/**
 * A log in the format of any agent. `request` and `call` are the numbers that identify a request and a
 * call in the results.
 */
interface Log {
	asks(request: number, more: string, hasImage: boolean): void;
	calls(request: number, call: number, result: string): void;
	says(text: string): void;
	/** Adds lines that must not affect the results: hooks, compactions without a goal, custom entries. */
	noise(text: string): void;
	/**
	 * Adds messages on an abandoned branch. The next request continues from the point before that branch.
	 */
	leaves(request: number): void;
	toString(): string;
}

const requestText = (request: number) =>
	`Carry out piece number ${request} of the long plan for the garden of the library`;
const commandText = (request: number, call: number) => `sed -n ${call}p src/piece-${request}.ts`;
const IMAGE = "A".repeat(40_000);

function piLog(id: string): Log {
	const text = new SessionText({ id });
	return {
		asks(request, more, hasImage) {
			const image = { type: "image", data: IMAGE, mimeType: "image/png" };
			const content = [{ type: "text", text: requestText(request) + more }, ...(hasImage ? [image] : [])];
			text.entry("message", { message: { role: "user", content } });
		},
		calls: (request, call, result) => void text.bash(commandText(request, call), result),
		says: (said) => void text.assistant(said),
		noise: (noise) => void text.custom("some:hook", { noise }).entry("compaction", { summary: noise }),
		leaves(request) {
			const [timestamp, parentId = null] = ["2026-01-31T12:00:00.000Z", text.ids.at(-1)];
			const message = { role: "user", content: requestText(request) };
			text.raw({ type: "message", id: `left${request}`, parentId, timestamp, message });
		},
		toString: () => text.toString(),
	};
}

function claudeLog(): Log {
	const log = new ClaudeLog();
	let back: { parentUuid?: string | null } = {};
	return {
		asks(request, more, hasImage) {
			const image = { type: "image", source: { type: "base64", data: IMAGE } };
			log.user([{ type: "text", text: requestText(request) + more }, ...(hasImage ? [image] : [])], back);
			back = {};
		},
		calls: (request, call, result) => void log.ran("Bash", { command: commandText(request, call) }, result),
		says: (said) => void log.says(said),
		noise(noise) {
			log.line("attachment", { attachment: { type: "hook_success", content: noise } });
			log.line("system", { content: noise });
		},
		leaves(request) {
			back = { parentUuid: log.last };
			log.user(requestText(request)).says("This was a mistake.");
		},
		toString: () => log.toString(),
	};
}

function codexLog(): Log {
	const log = new CodexLog();
	return {
		asks: (request, more) => void log.user(requestText(request) + more),
		calls(request, call, result) {
			log.ran("shell", { command: ["bash", "-lc", commandText(request, call)] }, result);
		},
		says: (said) => void log.says(said),
		noise: (noise) => void log.event("token_count", { info: noise }),
		leaves(request) {
			log.user(requestText(request)).event("thread_rolled_back", { num_turns: 1 });
		},
		toString: () => log.toString(),
	};
}

/** Returns a number up to `most`, which is usually small. */
function skewed(random: Random, most: number): number {
	return Math.floor((most + 1) ** (random() ** 2)) - 1;
}

/** Writes a session and returns the number of its newest request. */
function grow(random: Random, log: Log): number {
	const newest = 1 + skewed(random, 29);
	const text = (most: number) => "lorem ipsum ".repeat(Math.ceil(skewed(random, most) / 12));
	let budget = 3_000 * 270 ** (random() ** 2);
	for (let request = 1; request <= newest; request++) {
		if (random() < 0.1) log.noise(text(20_000));
		if (request > 1 && random() < 0.1) log.leaves(100 + request);
		log.asks(request, random() < 0.1 ? `\n\n${text(70_000)}` : "", random() < 0.1);
		const calls = request === newest || random() < 0.1 ? skewed(random, 2_000) : skewed(random, 20);
		const most = anyOf(random, [0, 100, 100, 1_000, 60_000]);
		for (let call = 1; call <= calls && budget > 0; call++) {
			const result = text(most);
			budget -= result.length + 500;
			log.calls(request, call, result);
			if (random() < 0.02) log.noise(text(1_000));
		}
		if (request < newest || random() < 0.8) log.says(`Piece ${request} is in its place now.`);
	}
	return newest;
}

/**
 * Returns the text of a log after crashes: some lines are appended to an incomplete line, and some
 * newlines are lost.
 */
function damaged(random: Random, text: string): string {
	const [first, ...lines] = text.split("\n");
	const kept = lines.map((line) => {
		if (line === "" || random() < 0.99) return `\n${line}`;
		return anyOf(random, [
			line,
			`\n{"type":"custom","customType":"some:hook","data":{"noise":"lorem ip${line}`,
		]);
	});
	return [first, ...kept].join("");
}

/** Returns the steps that are attributed to a request other than their own. */
function wrongSteps({ turns }: Timeline): string[] {
	return turns.flatMap((turn) => {
		const [number] = /piece number \d+/.exec(turn.request ?? "") ?? [""];
		const own = `src/piece-${number.slice("piece number ".length)}.ts`;
		return stepsOf(turn).flatMap(({ argument }) =>
			argument.endsWith(own) ? [] : [`${argument} by ${number}`],
		);
	});
}

test(
	`${SESSIONS} sessions of pi, Claude Code and Codex tell one story on every surface (seed ${SEED})`,
	async () => {
		const agentDir = folder();
		const listed = new Map<string, string>();
		for (let index = 0; index < SESSIONS; index++) {
			const random = seeded(SEED + index);
			const makeLog = anyOf(random, [piLog, claudeLog, codexLog]);
			const id = `s-${index}`;
			const isListed = makeLog === piLog && listed.size < MOST_LISTED;
			const log = makeLog(id);
			const newest = grow(random, log);
			const place = isListed ? projectFolder(sessionsRoot(agentDir), "/code/app") : agentDir;
			const path = put(join(place, `${isListed ? id : "one"}.jsonl`), damaged(random, String(log)));
			const of = `session ${index}`;
			const wanted = requestText(newest);

			const [opened, whole, summarized] = [
				await openSessionFile(path),
				await readWholeSession(path),
				summarize(path),
			];
			if (!opened.ok || !whole.ok || !summarized.ok) throw new Error(`${of} is not read`);
			for (const slice of [opened.session.slice, walkBranch(whole.session)]) {
				const timeline = readTimeline(slice, { cwd: "/code/app" });
				expect(wrongSteps(timeline), of).toEqual([]);
				expect(timeline.turns.findLast(({ request }) => request !== undefined)?.request, of).toContain(
					wanted,
				);
			}
			const row = summarized.record.summary;
			const { title } = viewOf(row);
			const branch = Array.from({ length: newest }, (_, at) => requestText(at + 1));
			expect(branch, of).toContain(/^.*library/.exec(title)?.[0]);
			if (isListed) listed.set(id, title);
			const card = await describeSession(row, { now: () => 0, words: () => ENGLISH });
			const record = card.ok ? card.record : undefined;
			expect(record?.headline, of).toContain(wanted.slice(0, 60));
			const credited = JSON.stringify(record).match(/src\/piece-\d+\.ts/g) ?? [];
			expect(
				credited.filter((file) => file !== `src/piece-${newest}.ts`),
				of,
			).toEqual([]);
			const read = await sessionPassages(row);
			const asked = read.ok ? read.passages.findLast(({ by }) => by === "user") : undefined;
			expect(asked?.text, of).toContain(wanted.slice(0, 60));
		}

		const { server, tokens } = await serveFolder(agentDir);
		const served = await new Serving(server.port, tokens)
			.ask("/v1/sessions?limit=100")
			.finally(() => server.close());
		const titles = served.json.sessions.map((one: { id: string; title: string }) => [one.id, one.title]);
		expect(new Map(titles)).toEqual(listed);
		const deps = { agentDir, folders: undefined, formats: [], now: Date.now(), since: 0 };
		const { sessions } = await listToday({ ...deps, words: () => ENGLISH });
		expect(sessions.length).toBeGreaterThan(0);
		for (const { view, described } of sessions) {
			// Equal titles are followed by text that distinguishes them.
			expect(view.title.startsWith(listed.get(view.id) ?? "?")).toBe(true);
			expect(described?.record?.headline).toContain("Carry out piece number");
		}
	},
	60_000 + SESSIONS * 500,
);
