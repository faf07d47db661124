// One of two processes that name the same sessions. Reads lines of jobs, does each at its moment, and says when it is done.
import { createInterface } from "node:readline";
import { nameSession, type Wish } from "../../session-core/naming/write.ts";
import { openProcess } from "./manager-ports.ts";

/** What a worker is told to do to a session. */
export interface Job {
	path: string;
	/** Milliseconds since the epoch, with fractions. */
	at: number;
	/** `auto`: an automatic title. `rename`: our command. `name`: the host's own. */
	kind: "auto" | "rename" | "name";
	title: string;
	/** Pause between two steps, in ms: makes the moment in which two can meet as long as the test wants it. */
	pauseMs: number;
}

const now = () => performance.timeOrigin + performance.now();

/** Burns the time away: timers are far too coarse for what is measured here. */
function spinUntil(moment: number): void {
	while (now() < moment);
}

function perform(job: Job): void {
	const { manager, ports } = openProcess(job.path);
	const { title, pauseMs } = job;
	spinUntil(job.at);
	if (job.kind === "name") {
		manager.appendSessionInfo(title);
		return;
	}
	const wish: Wish =
		job.kind === "auto"
			? { data: { title, source: "auto", replaces: null }, unless: "named", seen: null }
			: { data: { title, source: "manual" }, unless: "never", seen: null };
	const steps = nameSession(ports, wish);
	while (!steps.next().done) spinUntil(now() + pauseMs);
}

process.stdout.write("ready\n");
for await (const line of createInterface({ input: process.stdin })) {
	perform(JSON.parse(line));
	process.stdout.write("done\n");
}
