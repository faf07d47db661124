// One of several processes that hold leases. Reads lines of jobs, does each, and says when it is done.
import { createInterface } from "node:readline";
import { LeaseHolder, type LeaseState, liveLeases } from "../../session-core/live/lease.ts";

/** What a worker is told to do. */
export type Job =
	/** Opens a session, or says what the open one does. */
	| { type: "lease"; agentDir: string; session: string; state: LeaseState }
	| { type: "release"; session: string };

/** What it answers: a line for each step, and one at the end. */
export interface Answer {
	done: boolean;
	/** The instance of the lease. */
	value?: string;
	/** Why it was not. */
	failed?: string;
}

const held = new Map<string, LeaseHolder>();

async function* perform(job: Job): AsyncGenerator<Answer> {
	switch (job.type) {
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
