/** The provider that stands for the scripted model in `models.json`. */
export const PROVIDER = "scripted";

/** Its models: one with a frontier's price, a cheap sibling, one that reasons. Prices per million tokens. */
export const MODELS = {
	large: "scripted-large",
	small: "scripted-small",
	reasoner: "scripted-reasoner",
} as const;

/** A second provider whose model id has a slash of its own, as router services have. */
export const ROUTER = { provider: "router", model: "acme/fast-1" } as const;

/** `no-key`: models are known but their key cannot be resolved. `none`: there is no `models.json`. */
export type ModelsVariant = "scripted" | "no-key" | "none";

/** `models.json` with every model answered at `baseUrl`. */
export function modelsFile(baseUrl: string, variant: Exclude<ModelsVariant, "none">): string {
	// A key that starts with "!" is a command to the host; one that fails leaves the provider without a key.
	const connection = {
		baseUrl,
		api: "openai-completions",
		apiKey: variant === "no-key" ? "!exit 1" : "scripted-key",
	};
	return JSON.stringify({
		providers: {
			[PROVIDER]: { ...connection, models: [LARGE, SMALL, REASONER] },
			[ROUTER.provider]: { ...connection, models: [{ ...SMALL, id: ROUTER.model, name: "Router Fast" }] },
		},
	});
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
	cost: { input: 0.25, output: 1.25, cacheRead: 0.025, cacheWrite: 0.3 },
};

const REASONER = {
	...LARGE,
	id: MODELS.reasoner,
	name: "Scripted Reasoner",
	reasoning: true,
	cost: { input: 2, output: 8, cacheRead: 0.5, cacheWrite: 0 },
};
