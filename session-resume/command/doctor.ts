import { statSync } from "node:fs";
import { AGENTS, agentMark } from "../../session-core/agents/agents.ts";
import { agentFolders, wantedAgents } from "../../session-core/agents/places.ts";
import { cachePath, sessionNames } from "../../session-core/catalog/index.ts";
import type { DoctorSection } from "../../session-core/command/index.ts";
import { type LeaseState, liveLeases } from "../../session-core/live/index.ts";
import { refusal, type SessionRecord } from "../../session-core/recap/index.ts";
import type { Prepared } from "../record/keeper.ts";
import type { ResumeContext } from "../session.ts";

/** The facts that determine the answer to `/recap-card --why`; see `Prepared`. */
interface Known {
	reading: Pick<Prepared["reading"], "stamp" | "hasTask" | "messages" | "isInherited">;
	existing: Pick<SessionRecord, "generator" | "created_at"> | undefined;
}

/**
 * Returns who wrote the record of the session's current state and when, or why there is no such record. The result never contains the text
 * of the record.
 */
export function recordWhy(prepared: Known | undefined, minMessages: number): string {
	if (!prepared) return "none: this session has no messages";
	const { reading, existing } = prepared;
	if (existing)
		return `${writtenBy(existing)} on ${new Date(existing.created_at * 1000).toISOString().slice(0, 16)}Z`;
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
			return "none: you have not sent a request";
		case "off":
			return "none: resume.minMessages is 0, so no recap is saved at the end of a session; type /recap-card to save one";
		case "short":
			return `none yet: ${reading.messages} of ${minMessages} messages; /recap-card saves one now`;
		case "inherited":
			return "none: this fork has no new messages, so its parent's recap is shown";
		default:
			return "none yet: a recap is saved when the session ends; type /recap-card to save one now";
	}
}

function writtenBy({ generator }: Pick<SessionRecord, "generator">): string {
	switch (generator.type) {
		case "heuristic":
			return "generated without a model";
		case "llm":
			return `written by ${generator.provider}/${generator.model}`;
		case "user_edited":
			return "edited by you";
	}
}

export function resumeSection({ commons, host, session, settings }: ResumeContext): DoctorSection {
	const { agentDir } = commons;
	const { minMessages, pinCard, idleMinutes, generator, notify } = settings().resume;
	return {
		title: "resume",
		rows: [
			[
				"card",
				`${pinCard ? "shown" : "not shown"} when a session with a history opens${session.card.shown ? "; now on the screen" : ""}`,
			],
			["saved recap", recordWhy(session.state(), minMessages)],
			[
				"saved",
				`${minMessages === 0 ? "not on exit" : `on exit from ${minMessages} ${minMessages === 1 ? "message" : "messages"}`}; idle: ${idleMinutes === 0 ? "off" : `after ${idleMinutes} min`}; ${generator === "llm" ? "by a model" : "without a model"}`,
			],
			["index", indexLine(agentDir, host.folder)],
			["agents", agentsLine(agentDir)],
			["leases", leasesLine(agentDir, host.id)],
			["notify", notify ? "on" : "off"],
		],
	};
}

/** Says how many sessions of other agents there are, and how to turn them on. */
function agentsLine(agentDir: string): string {
	const wanted = wantedAgents(agentDir);
	const counts = AGENTS.map((agent) => {
		const files = agentFolders([agent], process.env).flatMap(({ folder }) => sessionNames(folder));
		return `${files.length} of ${agentMark(agent)} (${wanted.includes(agent) ? "included" : "not included"})`;
	});
	const how = wanted.length === 0 ? '; to include them, set "agents": ["claude-code", "codex"]' : "";
	return `${counts.join(", ")}${how}`;
}

/** Returns the number of session files in a folder, and the size of their index. */
export function indexLine(agentDir: string, folder: string): string {
	const files = sessionNames(folder).length;
	const index = statSync(cachePath(agentDir, folder), { throwIfNoEntry: false });
	const size = index ? `index of ${Math.ceil(index.size / 1024)} KB` : "no index yet; /sessions creates it";
	return `${files} session ${files === 1 ? "file" : "files"} in this project's folder; ${size}`;
}

function leasesLine(agentDir: string, sessionId: string): string {
	const leases = liveLeases(agentDir, Date.now());
	const counts = new Map<LeaseState, number>();
	for (const { state } of leases) counts.set(state, (counts.get(state) ?? 0) + 1);
	const states = [...counts].map(([state, count]) => `${count} ${state.replace("_", " ")}`).join(", ");
	const own = leases.some((lease) => lease.sessionId === sessionId);
	return `${leases.length} live${states && ` (${states})`}; this session ${own ? "has one" : "has none"}`;
}
