import type { Entry } from "../session/entry.ts";

export interface ModelName {
	provider: string;
	id: string;
}

/**
 * The model that a branch (oldest entry first) was last worked on with: the newest one that was chosen or that answered,
 * as the host itself reads it.
 */
export function ownModel(entries: readonly Entry[]): ModelName | undefined {
	for (let index = entries.length - 1; index >= 0; index--) {
		const entry = entries[index];
		const model = entry && modelOf(entry);
		if (model) return model;
	}
	return undefined;
}

function modelOf(entry: Entry): ModelName | undefined {
	if (entry.type === "model_change") return named(entry["provider"], entry["modelId"]);
	const message = entry["message"];
	if (entry.type !== "message" || typeof message !== "object" || message === null) return undefined;
	if (!("role" in message) || message.role !== "assistant") return undefined;
	return named(
		"provider" in message ? message.provider : undefined,
		"model" in message ? message.model : undefined,
	);
}

function named(provider: unknown, id: unknown): ModelName | undefined {
	return typeof provider === "string" && typeof id === "string" ? { provider, id } : undefined;
}
