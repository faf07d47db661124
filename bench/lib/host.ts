import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSandbox, type Sandbox } from "../../test/host/sandbox.ts";
import { ScriptedModel } from "../../test/host/scripted-model.ts";
import type { SessionFixture } from "../../test/host/session-files.ts";

/** What hosts are started in. */
export interface World {
	sandbox: Sandbox;
	model: ScriptedModel;
}

/** Runs a measurement in a private world, which is gone afterwards. */
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

/** An extension that does nothing: what the suite is held against. Gives its path. */
export function emptyExtension({ root }: Sandbox): string {
	const folder = join(root, "empty-extension");
	mkdirSync(folder);
	writeFileSync(join(folder, "index.ts"), "export default function () {}\n");
	return join(folder, "index.ts");
}
