import type { Api, Model } from "@mariozechner/pi-ai";

/** Returns a model description like the host's, with the test's changes. */
export function modelOf(more: Partial<Model<Api>> = {}): Model<Api> {
	return {
		id: "m",
		name: "m",
		api: "openai-completions",
		provider: "p",
		baseUrl: "http://127.0.0.1",
		reasoning: false,
		input: ["text"],
		cost: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 },
		contextWindow: 100_000,
		maxTokens: 8_000,
		...more,
	};
}
