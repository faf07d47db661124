// One of several processes that change settings and hold leases. Reads lines of jobs, does each, and says when it is done.
import { createInterface } from "node:readline";
import { setSetting } from "../../session-core/settings/edit.ts";
import { loadSettings } from "../../session-core/settings/load.ts";
import { LeaseHolder, type LeaseState } from "../../session-core/store/lease.ts";
import { liveLeases } from "../../session-core/store/live.ts";

/** What a worker is told to do. */
export type Job =
	/** Changes one key from `from` to `to`, step by step, and says each step that is done. */
	| { type: "set"; agentDir: string; path: string[]; from: number; to: number }
	/** Opens a session, or says what the open one does. */
	| { type: "lease"; agentDir: string; session: string; state: LeaseState }
	| { type: "release"; session: string };

/** What it answers: a line for each step, and one at the end. */
export interface Answer {
	done: boolean;
	/** The value that was just set, or the instance of the lease. */
	value?: number | string;
	/** Why it was not. */
	failed?: string;
}

const held = new Map<string, LeaseHolder>();

async function* perform(job: Job): AsyncGenerator<Answer> {
	switch (job.type) {
		case "set":
			for (let value = job.from; value <= job.to; value++) {
				const outcome = await setSetting({ agentDir: job.agentDir, path: job.path, value });
				yield { done: false, value, ...(!outcome.ok && { failed: outcome.reason }) };
				// Others look while we write: none may find half a file.
				const { problems } = await loadSettings({ agentDir: job.agentDir, cwd: job.agentDir });
				if (problems.length > 0) yield { done: false, failed: problems.join() };
			}
			break;
		case "lease": {
			const now = Date.now();
			const known = held.get(job.session);
			const holder = known ?? new LeaseHolder(job.agentDir, { sessionId: job.session }, job.state, now);
			held.set(job.session, holder);
			// To and fro, so that a kill comes in the midst of it.
			for (const state of Array<LeaseState[]>(6).fill(["failed", "working"]).flat())
				holder.update(state, now);
			const outcome = holder.update(job.state, now);
			holder.beat(Date.now());
			// Everybody lists and sweeps at the same time.
			const isSeen = liveLeases(job.agentDir, now).some(({ instance }) => instance === holder.instance);
			const failed = outcome.ok ? "not seen" : outcome.detail;
			yield { done: false, value: holder.instance, ...(!(outcome.ok && isSeen) && { failed }) };
			break;
		}
		case "release":
			held.get(job.session)?.release();
			held.delete(job.session);
	}
	yield { done: true };
}

const say = (answer: Answer) => process.stdout.write(`${JSON.stringify(answer)}\n`);

say({ done: true });
for await (const line of createInterface({ input: process.stdin })) {
	for await (const answer of perform(JSON.parse(line))) say(answer);
}
