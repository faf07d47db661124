export const PROVIDER = "scripted";

/** An expensive model, a cheap one and one with reasoning. Prices are per million tokens. */
export const MODELS = {
	large: "scripted-large",
	small: "scripted-small",
	reasoner: "scripted-reasoner",
} as const;

/** `no-key`: the API key for the models cannot be resolved. */
export type ModelsVariant = "scripted" | "no-key";

export function modelsFile(baseUrl: string, variant: ModelsVariant): string {
	// The host runs a key that starts with "!" as a command. If it fails, the provider has no key.
	const connection = {
		baseUrl,
		api: "openai-completions",
		apiKey: variant === "no-key" ? "!exit 1" : "scripted-key",
	};
	return JSON.stringify({ providers: { [PROVIDER]: { ...connection, models: [LARGE, SMALL, REASONER] } } });
}

const LARGE = {
	id: MODELS.large,
	name: "Scripted Large",
	contextWindow: 200_000,
	maxTokens: 32_000,
	cost: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
};

const SMALL = {
	...LARGE,
	id: MODELS.small,
	name: "Scripted Small",
	cost: { input: 0.25, output: 1.25, cacheRead: 0.025, cacheWrite: 0 },
	compat: { sendSessionAffinityHeaders: true },
};

const REASONER = {
	...LARGE,
	id: MODELS.reasoner,
	name: "Scripted Reasoner",
	reasoning: true,
	cost: { input: 2, output: 8, cacheRead: 0.5, cacheWrite: 0 },
};
