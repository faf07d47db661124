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
import { cleanLine } from "../../session-core/text/index.ts";
import type { ResumeSession } from "../session.ts";
import { confirmsFolder, continueHere } from "./resume-here.ts";

/**
 * `pi-sessions resume` passes a request to the pi process that it starts. The request is carried out
 * when the first session opens.
 */
export async function followRequest(session: ResumeSession, reason: StartReason): Promise<void> {
	const { ctx, host, screen, commons } = session;
	const order = takeRequestedText(process.env);
	if (!order || reason !== (order.type === "handover" ? "new" : "startup") || !session.isLive) return;
	const { log } = commons;
	const continuation = await continuationOf(order, host);
	if (!session.isLive) return;
	if ("refused" in continuation) {
		log("resume.refused", { session: host.id, reason: order.type });
		screen.say(`resume: ${continuation.refused}`, "warning");
		return;
	}
	if (continuation.cwd !== undefined && !(await confirmsFolder(continuation.cwd, ctx))) return;
	if (order.type === "record" && continuation.prompt === undefined)
		log("resume.record_gone", { session: host.id, record: order.value });
	await continueHere(session, continuation, { keepsCard: true });
}

/** Child processes of pi must not inherit this request, so the environment variable is deleted. */
export function takeRequestedText(env: NodeJS.ProcessEnv): Waiting | undefined {
	const order = readWaiting(env[RESUME_VARIABLE]);
	delete env[RESUME_VARIABLE];
	return order;
}

export async function continuationOf(
	order: Waiting,
	{
		source,
		origin: { parentSession },
	}: Pick<HostSession, "origin"> & { source: Pick<HostSession["source"], "getEntries"> },
): Promise<(Continuation & { cwd?: string }) | { refused: string }> {
	switch (order.type) {
		case "next":
			return { prompt: undefined, send: false };
		case "record": {
			const recap = source
				.getEntries()
				.flatMap((entry) => readRecap(entry) ?? [])
				.findLast(({ id }) => id === order.value);
			const action = recap && openOf(recap).next;
			// A record contains only the first line of an interrupted request, so the request is read from the
			// conversation.
			if (action?.kind === "cut_short") return { prompt: undefined, send: false };
			const prompt = recap && (action === undefined ? "" : stepPrompt(action));
			return { prompt, send: false };
		}
		case "text":
			return { prompt: order.value, send: false };
		case "handover": {
			const [, id = "", path = ""] = /^([^:]+):(.+)$/s.exec(order.value) ?? [];
			const handed = await handOverFile({ path, id }, Date.now(), getAgentDir());
			if (!handed.ok) return { refused: `the session cannot be continued: ${cleanLine(handed.detail)}.` };
			return { prompt: handed.prompt, cwd: handed.cwd, send: false };
		}
		case "entry": {
			const opened = parentSession === undefined ? undefined : await readWholeSession(parentSession);
			const entry = opened?.ok ? opened.session.getEntry(order.value) : undefined;
			const prompt = entry && promptOf(entry);
			if (prompt === undefined)
				return { refused: "the prompt that you wanted to return to is no longer in the session." };
			return { prompt, send: false };
		}
	}
}
