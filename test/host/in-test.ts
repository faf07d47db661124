import { expect, onTestFinished, test } from "vitest";
import { IS_NEWER_HOST } from "./launch.ts";
import { type RpcHost, type RpcOptions, startRpc } from "./rpc-host.ts";
import { createSandbox, type Sandbox, type SandboxOptions } from "./sandbox.ts";
import { ScriptedModel } from "./scripted-model.ts";
import { startHost, type TerminalHost, type TerminalOptions } from "./terminal-host.ts";

/** A test that is skipped on newer hosts, because its result does not depend on the host's version. */
export const testOnce = test.skipIf(IS_NEWER_HOST);

/** A host in a terminal, disposed after the running test, which fails if an extension threw an exception. */
export async function testHost(options: TerminalOptions = {}): Promise<TerminalHost> {
	const host = await startHost(options);
	onTestFinished(async () => {
		const errors = host.extensionErrors();
		await host.dispose();
		expect(errors).toEqual([]);
	});
	return host;
}

export async function testRpc(options: RpcOptions = {}): Promise<RpcHost> {
	const host = await startRpc(options);
	onTestFinished(() => host.dispose());
	return host;
}

/** A model and a sandbox for several hosts. Create them before the hosts: disposal runs in reverse order. */
export async function testWorld(
	options: SandboxOptions = {},
): Promise<{ model: ScriptedModel; sandbox: Sandbox }> {
	const model = await ScriptedModel.start();
	onTestFinished(() => model.close());
	return { model, sandbox: testSandbox({ ...options, modelUrl: model.url }) };
}

export function testSandbox(options: SandboxOptions): Sandbox {
	const sandbox = createSandbox(options);
	onTestFinished(() => sandbox.remove());
	return sandbox;
}
