import { shownName } from "./shown-line.ts";

export interface ModelName {
	provider: string;
	id: string;
}

/** A model as it may be shown. Undefined unless both parts are text. */
export function modelNamed(provider: unknown, id: unknown): ModelName | undefined {
	if (typeof provider !== "string" || typeof id !== "string") return undefined;
	return { provider: shownName(provider), id: shownName(id) };
}
