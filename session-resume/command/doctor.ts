import { readdirSync, statSync } from "node:fs";
import { cachePath } from "../../session-core/catalog/cache.ts";
import type { DoctorSection } from "../../session-core/command/doctor.ts";
import { type LeaseState, liveLeases } from "../../session-core/live/lease.ts";
import type { SessionRecord } from "../../session-core/recap/record.ts";
import { refusal } from "../../session-core/recap/refusal.ts";
import type { ResumeContext } from "../context.ts";
import type { Prepared } from "../record/keeper.ts";

type WhyContext = Pick<ResumeContext, "agentDir" | "host" | "session" | "settings">;

/** What is known of the state; see `Prepared`. */
interface Known {
	reading: Pick<Prepared["reading"], "stamp" | "hasTask" | "messages" | "isInherited">;
	existing: Pick<SessionRecord, "generator" | "created_at"> | undefined;
}

/** Whether the session has a record of its state, from whom, and if not, why. Nothing of what it says. */
export function whyText(prepared: Known | undefined, minMessages: number): string {
	if (!prepared) return "none: nothing was said yet";
	const { reading, existing } = prepared;
	if (existing)
		return `written ${writtenBy(existing)} on ${new Date(existing.created_at * 1000).toISOString().slice(0, 16)}Z`;
	const facts = {
		cause: "end",
		force: false,
		wantsModel: false,
		minMessages,
		existing: undefined,
		...reading,
	} as const;
	switch (refusal(facts)) {
		case "nothing":
			return "none: there is no request of yours yet";
		case "off":
			return "none at the end of a session, because resume.minMessages is 0; /recap-card writes one";
		case "short":
			return `none yet: ${reading.messages} of the ${minMessages} messages from which the end of a session writes one; /recap-card writes one now`;
		case "inherited":
			return "none of its own: a fork that has said nothing yet shows its parent's";
		default:
			return "none of this state yet: the end of the session writes one, /recap-card does now";
	}
}

function writtenBy({ generator }: Pick<SessionRecord, "generator">): string {
	switch (generator.type) {
		case "heuristic":
			return "offline";
		case "llm":
			return `by ${generator.provider}/${generator.model}`;
		case "user_edited":
			return "by you";
	}
}

export async function resumeSection({
	agentDir,
	host,
	session,
	settings,
}: WhyContext): Promise<DoctorSection> {
	const { minMessages, pinCard, idleMinutes, generator, notify } = settings.resume;
	const prepared = await session.state();
	return {
		title: "resume",
		rows: [
			[
				"card",
				`${pinCard ? "shown" : "not shown"} when a session with a past opens${session.card.shown ? "; on screen now" : ""}`,
			],
			["record", whyText(prepared, minMessages)],
			[
				"written",
				`from ${minMessages} messages on, idle ${idleMinutes === 0 ? "never" : `after ${idleMinutes} min`}, by ${generator === "llm" ? "a model" : "rules"}`,
			],
			["index", indexLine(agentDir, host.folder)],
			["leases", leasesLine(agentDir, host.id)],
			["notify", notify ? "on" : "off"],
		],
	};
}

function indexLine(agentDir: string, folder: string): string {
	const files = filesIn(folder);
	const index = statSync(cachePath(agentDir, folder), { throwIfNoEntry: false });
	const sessions =
		files === undefined ? "the folder cannot be read" : `${files} session files in this project's folder`;
	return `${sessions}; ${index ? `index of ${Math.ceil(index.size / 1024)} KB` : "no index yet, /sessions makes one"}`;
}

function filesIn(folder: string): number | undefined {
	try {
		return readdirSync(folder).filter((name) => name.endsWith(".jsonl")).length;
	} catch {
		// Nothing is saved yet, or it is not ours to read.
		return undefined;
	}
}

function leasesLine(agentDir: string, sessionId: string): string {
	const leases = liveLeases(agentDir, Date.now());
	const counts = new Map<LeaseState, number>();
	for (const { state } of leases) counts.set(state, (counts.get(state) ?? 0) + 1);
	const states = [...counts].map(([state, count]) => `${count} ${state.replace("_", " ")}`).join(", ");
	const own = leases.some((lease) => lease.sessionId === sessionId);
	return `${leases.length} live${states && ` (${states})`}; this session ${own ? "is among them" : "has none"}`;
}
