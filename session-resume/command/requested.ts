import { promptOf, readWholeSession } from "../../session-core/log/index.ts";
import {
	type Continuation,
	getAgentDir,
	type HostSession,
	type StartReason,
} from "../../session-core/pi/index.ts";
import { openOf, readRecap } from "../../session-core/recap/index.ts";
import {
	handOverFile,
	RESUME_VARIABLE,
	readWaiting,
	stepPrompt,
	type Waiting,
} from "../../session-core/sessions/index.ts";
import type { ResumeSession } from "../session.ts";
import { confirmsFolder, continueHere } from "./continue.ts";

/** Once the first session of this pi process has been opened, continues as `pi-sessions resume` requested. */
export async function followRequest(session: ResumeSession, reason: StartReason): Promise<void> {
	const { ctx, host, screen, commons } = session;
	const order = takeRequestedText(process.env);
	// A session that pi cannot open continues in a new session of pi.
	if (!order || reason !== (order.type === "handover" ? "new" : "startup") || !session.isLive) return;
	const { log } = commons;
	const continuation = await continuationOf(order, host);
	if (!session.isLive) return;
	if (!continuation) {
		log("resume.refused", { session: host.id, reason: "prompt_gone" });
		screen.say("resume: the prompt that you wanted to return to is no longer in the session.", "warning");
		return;
	}
	// If the session's own folder no longer exists, pi runs in another folder.
	if (continuation.cwd !== undefined && !(await confirmsFolder(continuation.cwd, ctx))) return;
	if (order.type === "record" && continuation.prompt === undefined)
		log("resume.record_gone", { session: host.id, record: order.value });
	await continueHere(session, continuation, { keepsCard: true });
}

/** Takes the request from an environment variable, which pi's own child processes must not inherit. */
export function takeRequestedText(env: NodeJS.ProcessEnv): Waiting | undefined {
	const order = readWaiting(env[RESUME_VARIABLE]);
	delete env[RESUME_VARIABLE];
	return order;
}

/**
 * Returns how to continue; undefined if the requested prompt no longer exists. `cwd`: the original folder of a session that is handed over.
 */
export async function continuationOf(
	order: Waiting,
	{
		source,
		origin: { parentSession },
	}: Pick<HostSession, "origin"> & { source: Pick<HostSession["source"], "getEntries"> },
): Promise<(Continuation & { cwd?: string }) | undefined> {
	switch (order.type) {
		case "next":
			return { prompt: undefined, send: false };
		case "record": {
			const recap = source
				.getEntries()
				.flatMap((entry) => readRecap(entry) ?? [])
				.findLast(({ id }) => id === order.value);
			const action = recap && openOf(recap).next;
			// The user's own request is taken from the conversation, because a record contains only one line of it.
			if (action?.kind === "cut_short") return { prompt: undefined, send: false };
			const prompt = recap && (action === undefined ? "" : stepPrompt(action));
			return { prompt, send: false };
		}
		case "text":
			return { prompt: order.value, send: false };
		case "handover": {
			const [, id = "", path = ""] = /^([^:]+):(.+)$/s.exec(order.value) ?? [];
			const handed = await handOverFile({ path, id }, Date.now(), getAgentDir());
			return handed.ok ? { prompt: handed.prompt, cwd: handed.cwd, send: false } : undefined;
		}
		case "entry": {
			const opened = parentSession === undefined ? undefined : await readWholeSession(parentSession);
			const entry = opened?.ok ? opened.session.getEntry(order.value) : undefined;
			const prompt = entry && promptOf(entry);
			return prompt === undefined ? undefined : { prompt, send: false };
		}
	}
}
