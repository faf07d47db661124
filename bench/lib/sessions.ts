import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SessionManager } from "@mariozechner/pi-coding-agent";
import { recapOf } from "../../session-core/recap/record.test-support.ts";
import { projectFolder, sessionsRoot } from "../../session-core/sessions/folders.ts";
import { session } from "../../test/host/fixtures.ts";
import { inFolder } from "./harness.ts";

interface TreeShape {
	sessions: number;
	bytes: number;
	projects: readonly string[];
}

/** `RARE_WORD` appears in one prompt of every hundredth session. */
export const RARE_WORD = "Schnabeltier";
/** `LAST_WORD` appears only in the session that a search reads last. */
export const LAST_WORD = "Siebenschlaefer";
/** `COMMON_WORD` appears on every line of a session file. */
export const COMMON_WORD = "parser";

const START = Date.UTC(2026, 0, 1);
const WORDS =
	"the parser reads every line and keeps what it can while a torn tail is left for the next writer so nothing is lost ";
/** `PLACE` is replaced with text that differs between the sample sessions. */
const PLACE = "@@";

export function projects(count: number): string[] {
	return Array.from({ length: count }, (_, index) => `/code/project-${index}`);
}

/** The sample sessions have a total size of 1 GB. */
export const MANY = { sessions: 10_000, bytes: 100_000, projects: projects(50) };

export function onTree<T>(shape: TreeShape, measure: (agentDir: string) => T | Promise<T>): Promise<T> {
	return inFolder((agentDir) => {
		growTree(agentDir, shape);
		return measure(agentDir);
	});
}

export function growTree(agentDir: string, { sessions, bytes, projects }: TreeShape): void {
	const texts = [true, false].map((isNamed) => sampleText(bytes, isNamed).split(PLACE));
	for (const cwd of projects) mkdirSync(projectFolder(sessionsRoot(agentDir), cwd), { recursive: true });
	for (let index = 0; index < sessions; index++) {
		const cwd = projects[index % projects.length] ?? "";
		const time = new Date(START + index * 60_000);
		const id = `01a1ffd6-c1b4-73fe-bf2a-${index.toString(16).padStart(12, "0")}`;
		const timestamp = time.toISOString();
		const name = `${timestamp.replace(/[:.]/g, "-")}_${id}.jsonl`;
		const path = join(projectFolder(sessionsRoot(agentDir), cwd), name);
		const words = [...(index % 100 === 50 ? [RARE_WORD] : []), ...(index === 0 ? [LAST_WORD] : [])];
		const header = JSON.stringify({ type: "session", version: 3, id, timestamp, cwd });
		const text = (texts[index % 2] ?? []).join(["bug", index, "in the parser", ...words].join(" "));
		writeFileSync(path, `${header}\n${text}`);
		utimesSync(path, time, time);
	}
}

export function longSession(entries: number): SessionManager {
	const folder = mkdtempSync(join(tmpdir(), "session-bench-"));
	const text = session({ cwd: "/code/project" });
	for (let index = 0; index < entries; index += 4) {
		text
			.user(`Make parser number ${index} accept trailing commas`)
			.bash(`cd app && npm test -- parser-${index} 2>&1 | tail -5`, `ran ${index}\n12 passed\n`)
			.assistant(`Parser ${index} accepts trailing commas now.\n\n- \`src/parser-${index}.ts\` skips them`);
	}
	const path = join(folder, "session.jsonl");
	writeFileSync(path, text.build());
	const manager = SessionManager.open(path);
	rmSync(folder, { recursive: true });
	return manager;
}

function sampleText(bytes: number, isNamed: boolean): string {
	const text = session().user(`Please fix ${PLACE}`);
	const turns = Math.max(2, Math.floor(bytes / 6_000));
	for (let turn = 0; turn < turns; turn++) {
		text
			.user(`Part ${turn} of ${PLACE}: ${prose(200)}`)
			.bash(`ls ${prose(40)}`, prose(3_000))
			.assistant(`Part ${turn} of ${PLACE} works. ${prose(500)}`, { thinking: prose(200) });
		const title = `Fix ${PLACE}`;
		if (isNamed && turn === Math.floor(turns / 2))
			text.custom("session-suite:title", { title, source: "auto", model: "acme/m-1" }).name(title);
	}
	const recap = recapOf({
		headline: "Fixed the parser of torn lines",
		next_actions: ["Run the linter", "Write the changelog entry"],
		last_message_id: text.ids.at(-1) ?? "",
	});
	const built = text.custom("session-suite:recap", recap).build();
	return built.slice(built.indexOf("\n") + 1);
}

function prose(length: number): string {
	return WORDS.repeat(length / WORDS.length + 1);
}
