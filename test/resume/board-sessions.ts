import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { SessionText } from "../../session-core/log/session-text.test-support.ts";
import type { Lease } from "../../session-core/sessions/live/lease-files.ts";
import { session } from "../host/fixtures.ts";
import type { Sandbox } from "../host/sandbox.ts";
import { placeSession, sessionFolder } from "../host/session-files.ts";
import type { TerminalHost } from "../host/terminal-host.ts";
import { until } from "../host/until.ts";

/** The board and the leases without the rest of the package. */
export const BOARD = { extensions: ["test/resume/board-and-live.ts"] };

const HOUR = 3_600_000;

/** A session about a topic. The session ended `hoursAgo` hours ago, and its id ends in that number. */
export function about(topic: string, hoursAgo: number): SessionText {
	const id = `0195a1b2-c3d4-7000-8000-${String(hoursAgo).padStart(12, "0")}`;
	// The session starts ten minutes earlier, because each entry is a few seconds later than the previous
	// one.
	return session({ id, startedAt: new Date(Date.now() - hoursAgo * HOUR - HOUR / 6) })
		.user(topic)
		.assistant(`Done with it: ${topic}.`);
}

export function placeElsewhere(sandbox: Sandbox, name: string, text: string): { cwd: string; file: string } {
	const cwd = join(sandbox.root, name);
	const folder = sessionFolder(sandbox.agentDir, cwd);
	for (const one of [cwd, folder]) mkdirSync(one, { recursive: true });
	return { cwd, file: placeSession(text, cwd, folder) };
}

export function git(cwd: string, args: string[], env: Record<string, string> = {}): void {
	const user = ["-c", "user.name=a", "-c", "user.email=a@b.c"];
	execFileSync("git", [...user, ...args], { cwd, stdio: "pipe", env: { ...process.env, ...env } });
}

export function leaseList(sandbox: Pick<Sandbox, "agentDir">): Lease[] {
	const folder = join(sandbox.agentDir, "session-suite", "live");
	try {
		const names = readdirSync(folder).filter((name) => name.endsWith(".json"));
		return names.map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")));
	} catch {
		// The file is missing or being replaced, and the caller tries again.
		return [];
	}
}

/** The leases, keyed by process id, because each host has only one session open. */
export function leases(sandbox: Pick<Sandbox, "agentDir">): Record<string, Lease> {
	return Object.fromEntries(leaseList(sandbox).map((lease) => [lease.pid, lease]));
}

/** Resolves when the host's lease states this. */
export function leased(
	{ sandbox, pid }: Pick<TerminalHost, "sandbox" | "pid">,
	state: string,
): Promise<unknown> {
	return until(() => leases(sandbox)[pid]?.state === state, `the lease to say ${state}`, {
		detail: () => JSON.stringify(leases(sandbox)),
	});
}

export async function closeBoard(host: TerminalHost): Promise<void> {
	host.key("escape");
	await host.screen.waitUntilGone("This project");
}
