import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSandbox, type Sandbox } from "../../test/host/sandbox.ts";
import { ScriptedModel } from "../../test/host/scripted-model.ts";
import type { SessionFixture } from "../../test/host/session-files.ts";

/** The surroundings of hosts. */
export interface World {
	sandbox: Sandbox;
	model: ScriptedModel;
}

/** Runs a measurement in a private sandbox, which is removed afterwards. */
export async function inWorld<T>(
	sessions: SessionFixture[],
	measure: (world: World) => Promise<T>,
): Promise<T> {
	const model = await ScriptedModel.start();
	const sandbox = createSandbox({ modelUrl: model.url, sessions });
	try {
		return await measure({ sandbox, model });
	} finally {
		sandbox.remove();
		await model.close();
	}
}

/** Creates an empty extension that serves as the baseline for the suite, and returns its path. */
export function emptyExtension({ root }: Sandbox): string {
	const folder = join(root, "empty-extension");
	mkdirSync(folder);
	writeFileSync(join(folder, "index.ts"), "export default function () {}\n");
	return join(folder, "index.ts");
}
