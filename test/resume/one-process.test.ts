import { join } from "node:path";
import {
	createAgentSession,
	DefaultResourceLoader,
	SessionManager,
	SettingsManager,
} from "@mariozechner/pi-coding-agent";
import { expect, onTestFinished, vi } from "vitest";
import { PROJECT_ROOT, type Sandbox, testOnce, testSandbox, until } from "../host/index.ts";
import { BOARD, leaseList } from "./board-sessions.ts";

/** Opens a session in the same way as a program that embeds the host. */
async function open({ cwd, agentDir, sessionDir }: Sandbox) {
	const given = {
		settingsManager: SettingsManager.inMemory(),
		additionalExtensionPaths: [join(PROJECT_ROOT, ...BOARD.extensions)],
	};
	const resourceLoader = new DefaultResourceLoader({ cwd, agentDir, ...given });
	await resourceLoader.reload();
	const sessionManager = SessionManager.create(cwd, sessionDir);
	const { session } = await createAgentSession({ cwd, agentDir, resourceLoader, sessionManager });
	await session.bindExtensions({});
	onTestFinished(() => session.dispose());
	return session;
}

testOnce("each of two sessions in one process has a lease of its own", async () => {
	const sandbox = testSandbox({});
	vi.stubEnv("PI_CODING_AGENT_DIR", sandbox.agentDir);
	onTestFinished(() => void vi.unstubAllEnvs());
	const leased = () =>
		leaseList(sandbox)
			.map(({ sessionId }) => sessionId)
			.sort();
	const one = await open(sandbox);
	const other = await open(sandbox);
	const ids = [one.sessionId, other.sessionId].sort();
	await until(() => leased().join() === ids.join(), "both leases", { detail: () => leased().join() });
	await one.extensionRunner?.emit({ type: "session_shutdown", reason: "quit" });
	expect(leased()).toEqual([other.sessionId]);
	await other.extensionRunner?.emit({ type: "session_shutdown", reason: "quit" });
	expect(leased()).toEqual([]);
});
