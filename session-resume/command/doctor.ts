import { type DoctorSection, getAgentDir } from "../../session-core/pi/index.ts";
import {
	countLogs,
	indexBytes,
	type LeaseState,
	liveLeases,
	sessionNames,
} from "../../session-core/sessions/index.ts";
import type { ResumeSession } from "../session.ts";

export function resumeSection(session: ResumeSession): DoctorSection {
	const { host } = session;
	const agentDir = getAgentDir();
	const resume = session.settings();
	const { pinCard, notify } = resume;
	return {
		title: "resume",
		rows: [
			[
				"card",
				`${pinCard ? "shown" : "not shown"} when a session with a history opens${session.card.stamp ? "; now on the screen" : ""}`,
			],
			["saved recap", session.recordWhy()],
			["saving", savingText(resume)],
			["index", indexLine(agentDir, host.folder)],
			["agents", agentsLine(agentDir)],
			["leases", leasesLine(agentDir, host.id)],
			["notify", notify ? "on" : "off"],
		],
	};
}

function agentsLine(agentDir: string): string {
	const agents = countLogs(agentDir, process.env);
	const counts = agents.map(({ format, files, isIncluded }) => {
		const status = isIncluded ? "included" : "not included";
		return `${format.mark}: ${files} (${status})`;
	});
	const names = JSON.stringify(agents.map(({ format }) => format));
	const how = agents.some(({ isIncluded }) => isIncluded) ? "" : `; to include them, set "agents": ${names}`;
	return `${counts.join(", ")}${how}`;
}

function indexLine(agentDir: string, folder: string): string {
	const files = sessionNames(folder).length;
	const bytes = indexBytes(agentDir, folder);
	const size = bytes ? `index of ${Math.ceil(bytes / 1024)} KB` : "no index yet; /sessions creates it";
	return `${files} session ${files === 1 ? "file" : "files"} in this project's folder; ${size}`;
}

function leasesLine(agentDir: string, sessionId: string): string {
	const leases = liveLeases(agentDir, Date.now());
	const counts = new Map<LeaseState, number>();
	for (const { state } of leases) counts.set(state, (counts.get(state) ?? 0) + 1);
	const states = [...counts].map(([state, count]) => `${count} ${state}`).join(", ");
	const own = leases.some((lease) => lease.sessionId === sessionId);
	return `${leases.length} live${states && ` (${states})`}; this session ${own ? "has one" : "has none"}`;
}

function savingText({ minMessages, idleMinutes, generator }: ReturnType<ResumeSession["settings"]>): string {
	const atEnd =
		minMessages === 0
			? "not at the end"
			: `at the end of a session with at least ${countOf(minMessages, "message")}`;
	const idle = idleMinutes === 0 ? "not while idle" : `after ${countOf(idleMinutes, "idle minute")}`;
	const writer = generator === "llm" ? "by a model" : "without a model";
	return `${atEnd}; ${idle}; written ${writer}`;
}

function countOf(count: number, what: string): string {
	return `${count} ${what}${count === 1 ? "" : "s"}`;
}
