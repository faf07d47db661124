import { randomUUID } from "node:crypto";
import { type ExtensionAPI, type ExtensionContext, getAgentDir } from "@mariozechner/pi-coding-agent";
import { openLog } from "../session-core/debug-log.ts";
import { needsUser } from "../session-core/host/print-ui.ts";
import { asJob, parentJob } from "../session-core/recap/job.ts";
import { rememberJob } from "../session-core/recap/own-jobs.ts";
import type { SessionRecord } from "../session-core/recap/record.ts";
import { RECAP_ENTRY } from "../session-core/recap/record-entry.ts";
import { recordsOn } from "../session-core/recap/stored-records.ts";
import { createRepository } from "../session-core/repository.ts";
import { RESUMED_FROM_VARIABLE, resumedJob } from "../session-core/resume-plan/variables.ts";
import { appendCarefully } from "../session-core/session-file/append.ts";
import { lastMessageId, walkBranch } from "../session-core/session-file/branch.ts";
import { readSession } from "../session-core/session-view/read-session.ts";
import { loadSettings } from "../session-core/settings/load.ts";
import { cardWords } from "../session-core/words/card-words.ts";
import { explainRefusal } from "./command/answers.ts";
import type { ResumeExtension } from "./context.ts";
import { hostSession } from "./host-session.ts";
import { Keeper, type Kept } from "./record/keeper.ts";

/**
 * Follows a run without a user (print or JSON mode), and writes a record of its outcome. The record is of kind `job` only if the session
 * never had a user. `leafBefore` is the id of the session's leaf when the run began.
 */
export async function startHeadless(
	pi: ExtensionAPI,
	ctx: ExtensionContext,
	leafBefore: string | null,
): Promise<ResumeExtension> {
	const agentDir = getAgentDir();
	const session = hostSession(ctx);
	const getEntry = (id: string) => session.source.getEntry(id);
	const lastBefore = lastMessageId({
		getEntry,
		getLeafEntry: () => (leafBefore === null ? undefined : getEntry(leafBefore)),
	});
	const repository = createRepository(ctx.cwd);
	// Git runs while the model is working, so that writing the record does not have to wait for git.
	void repository.refresh();
	const { settings } = loadSettings({ agentDir, cwd: ctx.cwd });
	const log = openLog({ agentDir, enabled: settings.debug });
	const before = recordsOn(walkBranch(session.source));
	const wanted = resumedJob(process.env[RESUMED_FROM_VARIABLE]);
	const isJob = lastBefore === undefined || before[0]?.kind === "job" || wanted !== undefined;
	// The environment variable is removed, so that another pi process that this run starts is not mistaken for the job.
	delete process.env[RESUMED_FROM_VARIABLE];
	const policy = { tools: pi.getActiveTools(), parent: parentJob(before, session.id, wanted) };
	const keeper = new Keeper({
		session,
		kind: isJob ? "job" : "session",
		minMessages: () => settings.resume.minMessages,
		read: () => readSession(session.source, session.origin, session.cwd),
		checkout: () => repository.last,
		append: (recap, options) => {
			const appended = appendCarefully(session.target, () => pi.appendEntry(RECAP_ENTRY, recap), options);
			const file = session.target.getSessionFile();
			if (appended.ok && recap.kind === "job" && file !== undefined) rememberJob(agentDir, recap, file);
			return appended;
		},
		newId: randomUUID,
		now: Date.now,
		words: cardWords(settings.language),
		log,
	});
	let isOver = false;

	function keep(): Kept {
		if (lastMessageId(session.source) === lastBefore) {
			log("record.skipped", { cause: "job", reason: "nothing" });
			return { ok: false, reason: "nothing" };
		}
		const proposed = keeper.propose({ cause: "job" });
		if (!proposed.ok) return proposed;
		const { recap, existing } = proposed.prepared;
		// A run that is still active when its session ends was canceled.
		const ended: SessionRecord = ctx.isIdle() ? recap : { ...recap, outcome: "aborted" };
		return keeper.put(asJob(ended, policy), { over: existing, cause: "job" });
	}

	return {
		command: async (name) => needsUser(name),
		end(reason) {
			if (isOver || reason === "reload" || !session.isCurrent()) return;
			isOver = true;
			try {
				const kept = keep();
				if (!kept.ok && kept.reason === "unwritable") process.stderr.write(`${explainRefusal(kept)}\n`);
			} catch (bug) {
				// A malformed session file must not change the result of the run.
				log("read.failed", { error: bug instanceof Error ? bug.name : "unknown" });
			}
		},
	};
}
