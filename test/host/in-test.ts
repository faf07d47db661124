import { onTestFinished, test } from "vitest";
import { IS_NEWER_HOST } from "./launch.ts";
import { type RpcHost, type RpcOptions, startRpc } from "./rpc-host.ts";
import { createSandbox, type Sandbox, type SandboxOptions } from "./sandbox.ts";
import { ScriptedModel } from "./scripted-model.ts";
import { startHost, type TerminalHost, type TerminalOptions } from "./terminal-host.ts";

/** A test that is skipped on newer hosts, because its result does not depend on the host's version. */
export const testOnce = test.skipIf(IS_NEWER_HOST);

/** A host in a terminal, disposed after the running test. */
export async function testHost(options: TerminalOptions = {}): Promise<TerminalHost> {
	const host = await startHost(options);
	onTestFinished(() => host.dispose());
	return host;
}

/** A host in RPC mode, disposed after the running test. */
export async function testRpc(options: RpcOptions = {}): Promise<RpcHost> {
	const host = await startRpc(options);
	onTestFinished(() => host.dispose());
	return host;
}

/** A model for several hosts. Create it before them, because disposal runs in reverse order. */
export async function testModel(): Promise<ScriptedModel> {
	const model = await ScriptedModel.start();
	onTestFinished(() => model.close());
	return model;
}

/** A sandbox for several hosts, removed after the running test. Create it before the hosts. */
export function testSandbox(options: SandboxOptions): Sandbox {
	const sandbox = createSandbox(options);
	onTestFinished(() => sandbox.remove());
	return sandbox;
}
