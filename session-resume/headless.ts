import { randomUUID } from "node:crypto";
import { type ExtensionAPI, type ExtensionContext, getAgentDir } from "@mariozechner/pi-coding-agent";
import { openLog } from "../session-core/open-log.ts";
import type { Recap } from "../session-core/recap/record.ts";
import { asJob, parentJob } from "../session-core/records/job.ts";
import { readSession } from "../session-core/records/reading.ts";
import { recordsOn } from "../session-core/records/stored-records.ts";
import { RESUMED_FROM_VARIABLE, resumedJob } from "../session-core/resume-plan/variables.ts";
import { appendCarefully } from "../session-core/session/append.ts";
import { walkBranch } from "../session-core/session/branch.ts";
import { lastMessageId } from "../session-core/session/stamp.ts";
import { openSettings } from "../session-core/settings/open.ts";
import { needsUser } from "../session-core/terminal/print-ui.ts";
import { createWordbook } from "../session-core/words/wordbook.ts";
import { explainRefusal } from "./command/answers.ts";
import type { ResumeExtension } from "./extension.ts";
import { hostSession } from "./host-session.ts";
import { RECORD_ENTRY } from "./record/entry-type.ts";
import { createKeeper, type Kept } from "./record/keeper.ts";
import { loggedKeeper } from "./record/logged-keeper.ts";
import { createRepository } from "./workspace/watch.ts";

/**
 * A run without a user in front of it (print or JSON mode): it leaves a record with its outcome. The session stays what it
 * was: kind `job` only if nobody ever sat before it. `saidBefore`: its last message when the run began.
 */
export async function startHeadless(
	pi: ExtensionAPI,
	ctx: ExtensionContext,
	saidBefore: string | undefined,
): Promise<ResumeExtension> {
	const agentDir = getAgentDir();
	const session = hostSession(ctx);
	const repository = createRepository((...call) => pi.exec(...call), ctx.cwd);
	// While the model thinks; a record does not wait for git.
	void repository.refresh();
	const { settings } = await openSettings({ agentDir, cwd: ctx.cwd });
	const log = await openLog({ agentDir, enabled: settings.debug });
	const before = recordsOn(walkBranch(session.source));
	const wanted = resumedJob(process.env[RESUMED_FROM_VARIABLE]);
	const isJob = saidBefore === undefined || before[0]?.kind === "job" || wanted !== undefined;
	// What this run starts is not what was asked for.
	delete process.env[RESUMED_FROM_VARIABLE];
	const policy = { tools: pi.getActiveTools(), parent: parentJob(before, session.id, wanted) };
	const wordbook = createWordbook({ setting: settings.language, env: process.env });
	const read = () => readSession(session.source, session.origin, session.cwd);
	/** While the model thinks: at the end nobody waits for words. */
	const followPrompts = () => {
		try {
			wordbook.follow(read().language);
		} catch (bug) {
			log("read.failed", { error: bug instanceof Error ? bug.name : "unknown" });
		}
	};
	followPrompts();
	const records = createKeeper({
		session,
		kind: isJob ? "job" : "session",
		minMessages: settings.resume.minMessages,
		read,
		checkout: () => repository.last,
		append: (recap, options) =>
			appendCarefully(session.target, () => pi.appendEntry(RECORD_ENTRY, recap), options),
		newId: randomUUID,
		now: Date.now,
		words: () => wordbook.words,
	});
	const keeper = loggedKeeper(records, log);
	let isOver = false;

	function keep(): Kept {
		if (lastMessageId(session.source) === saidBefore) {
			log("record.skipped", { cause: "job", reason: "nothing" });
			return { ok: false, reason: "nothing" };
		}
		const proposed = keeper.propose({ cause: "job" });
		if (!proposed.ok) return proposed;
		const { recap, existing } = proposed.prepared;
		// A run that is at work when its session ends was cancelled.
		const ended: Recap = ctx.isIdle() ? recap : { ...recap, outcome: "aborted" };
		return keeper.put(asJob(ended, policy), { over: existing, cause: "job" });
	}

	return {
		happened: () => undefined,
		claims: () => false,
		shows: () => false,
		clear: () => false,
		drafted: () => undefined,
		recapShown: () => undefined,
		toggleCard: async () => undefined,
		doctor: () => undefined,
		complete: async () => null,
		command: async (name) => needsUser(name),
		end(reason) {
			if (isOver || reason === "reload" || !session.isCurrent()) return;
			isOver = true;
			try {
				const kept = keep();
				if (!kept.ok && kept.reason === "unwritable")
					process.stderr.write(`${explainRefusal(kept, wordbook.words)}\n`);
			} catch (bug) {
				// Session files hold what nobody foresaw; the run's own result must not suffer from it.
				log("read.failed", { error: bug instanceof Error ? bug.name : "unknown" });
			}
		},
	};
}
