import { randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { isAlive } from "../../session-core/live/liveness.mjs";
import { session } from "../host/fixtures.ts";
import { placeSession } from "../host/session-files.ts";
import { leaseList } from "../resume/board-sessions.ts";
import { personallyNamed } from "./names.ts";
import type { World } from "./world.ts";

/** Topics of sessions without a name. Processes only compete to name a session until it has a name. */
const TOPICS = ["the parser of dates", "the retry queue", "the login page", "the cache of thumbnails"];

/** The session that all tabs open most of the time. A new one is created when a person has named the last one. */
export function meetingPoint(world: World): string {
	const last = world.meetings.at(-1);
	const isOver = last === undefined || !hasHeader(last) || personallyNamed({ meetings: [last] }).length > 0;
	return isOver ? lay(world) : last;
}

/** Whether a file exists and begins with a session's header. */
export function hasHeader(path: string): boolean {
	return existsSync(path) && readFileSync(path, "utf8").startsWith('{"type":"session"');
}

function lay({ sandbox, meetings }: World): string {
	const topic = TOPICS[meetings.length % TOPICS.length];
	const startedAt = new Date(Date.now() - 3 * 3_600_000);
	const text = session({ cwd: sandbox.cwd, id: randomUUID(), startedAt })
		.user(`find out why ${topic} fails on the second try (case ${meetings.length}), and fix it`)
		.bash("node --test", "ℹ tests 4\nℹ pass 3\nℹ fail 1", 1)
		.assistant(`One test of ${topic} fails: the second try reuses the first one's state. Shall I reset it?`)
		.build();
	const path = placeSession(text, sandbox.cwd, sandbox.sessionDir);
	meetings.push(path);
	return path;
}

/** The largest number of processes that have the same session open. */
export function mostOnOne({ sandbox }: Pick<World, "sandbox">): number {
	const counts = new Map<string, number>();
	for (const { sessionFile = "", pid } of leaseList(sandbox))
		if (isAlive(pid)) counts.set(sessionFile, (counts.get(sessionFile) ?? 0) + 1);
	return Math.max(0, ...counts.values());
}
