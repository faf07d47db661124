import { lastMessageId, walkBranch } from "../session-core/log/index.ts";
import {
	createRecordReader,
	createStateReader,
	type EndReason,
	type ExtensionAPI,
	type ExtensionContext,
	getAgentDir,
	hostSession,
	loadSettings,
} from "../session-core/pi/index.ts";
import { asJob, cardWords, parentJob, recordsOn, rememberJob } from "../session-core/recap/index.ts";
import { RESUMED_FROM_VARIABLE, resumedJob } from "../session-core/sessions/index.ts";
import { createRepository } from "../session-core/text/files/index.ts";
import { errorFields, openLog } from "../session-core/text/index.ts";
import { explainRefusal, Keeper } from "./record/keeper.ts";

/**
 * Follows a run without a user (print or JSON mode), and writes a record of its outcome. The record is of kind `job` only if the session
 * never had a user. `leafBefore` is the id of the session's leaf when the run began.
 */
export async function startHeadless(pi: ExtensionAPI, ctx: ExtensionContext, leafBefore: string | null) {
	const agentDir = getAgentDir();
	const host = hostSession(ctx);
	const getEntry = (id: string) => host.source.getEntry(id);
	const lastBefore = lastMessageId({
		getEntry,
		getLeafEntry: () => (leafBefore === null ? undefined : getEntry(leafBefore)),
	});
	const repository = createRepository(ctx.cwd);
	// Git runs while the model is working, so that writing the record does not have to wait for git.
	void repository.refresh();
	const { settings } = loadSettings({ agentDir, cwd: ctx.cwd });
	const log = openLog({ agentDir, enabled: settings.debug, session: () => host.id });
	const before = recordsOn(walkBranch(host.source));
	const wanted = resumedJob(process.env[RESUMED_FROM_VARIABLE]);
	const isJob = lastBefore === undefined || before[0]?.kind === "job" || wanted !== undefined;
	// The environment variable is removed, so that another pi process that this run starts is not mistaken for the job.
	delete process.env[RESUMED_FROM_VARIABLE];
	const job = { tools: pi.getActiveTools(), ...parentJob(before, host.id, wanted) };
	const keeper = new Keeper({
		pi,
		host,
		minMessages: () => settings.resume.minMessages,
		prepared: createRecordReader({
			host,
			kind: isJob ? "job" : "session",
			state: createStateReader(ctx, log),
			repository,
			words: cardWords(settings.language),
		}).prepared,
		repository,
		log,
	});
	let isOver = false;

	function keep(): void {
		if (lastMessageId(host.source) === lastBefore) {
			log("record.skipped", { cause: "job", reason: "nothing" });
			return;
		}
		// A run that is still active when its session ends was canceled.
		const isCanceled = !ctx.isIdle();
		const kept = keeper.keep({ cause: "job" }, (recap) =>
			asJob(isCanceled ? { ...recap, outcome: "aborted" } : recap, job),
		);
		const file = host.source.getSessionFile();
		if (kept.ok && kept.recap.kind === "job" && file !== undefined) rememberJob(agentDir, kept.recap, file);
		if (!kept.ok && kept.reason === "unwritable") process.stderr.write(`${explainRefusal(kept)}\n`);
	}

	return {
		end(reason: EndReason) {
			if (isOver || reason === "reload" || !host.isCurrent()) return;
			isOver = true;
			try {
				keep();
			} catch (bug) {
				// A malformed session file must not change the result of the run.
				log("read.failed", errorFields(bug));
			}
		},
	};
}
