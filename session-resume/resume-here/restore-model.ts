import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import type { ModelName } from "../../session-core/records/session-model.ts";
import { cleanLine } from "../../session-core/text/sanitize.ts";

/** What became of a session's own model: nothing to say, or one line for the user. */
export interface Restored {
	text: string;
	kind: "info" | "warning";
}

/** Go back to the model that a session was last worked on with, where pi runs on another one (`--model`, a fallback). */
export async function restoreModel(
	own: ModelName | undefined,
	pi: Pick<ExtensionAPI, "setModel">,
	ctx: Pick<ExtensionContext, "model" | "modelRegistry">,
): Promise<Restored | undefined> {
	const active = ctx.model;
	if (!own || (active?.provider === own.provider && active.id === own.id)) return undefined;
	const name = cleanLine(`${own.provider}/${own.id}`);
	const instead = active ? `going on with ${active.provider}/${active.id}` : "choose one with /model";
	const model = ctx.modelRegistry.find(own.provider, own.id);
	if (!model)
		return { text: `resume: this session's model ${name} is not known here; ${instead}.`, kind: "warning" };
	if (await pi.setModel(model))
		return { text: `resume: back on this session's model, ${name}.`, kind: "info" };
	return {
		text: `resume: this session's model ${name} has no credentials here; ${instead}.`,
		kind: "warning",
	};
}
