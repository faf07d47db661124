import type { Api, Model } from "@mariozechner/pi-ai";
import { costText, type ModelName, nearest, redact } from "../../text/index.ts";

/**
 * Splits a model name at the first slash, so the provider in `openrouter/qwen/qwen3` is `openrouter`.
 */
export function parseSpec(text: string): ModelName | undefined {
	const [, provider, id] = /^([^/]+)\/(.+)$/s.exec(text.trim()) ?? [];
	return provider && id ? { provider, id } : undefined;
}

export function formatSpec(model: ModelName): string {
	return `${model.provider}/${model.id}`;
}

export interface Candidate {
	model: Model<Api>;
	/** The setting, flag or command with which the user named the model, such as `--recap-model`. */
	source: string;
}

export interface NamedModel {
	spec: string;
	source: string;
}

interface Unusable extends NamedModel {
	/**
	 * Known models with similar names, best match first, or undefined if the model exists but the user
	 * has no credentials for it.
	 */
	near: string[] | undefined;
}

export interface ModelChoice {
	candidates: Candidate[];
	unusable: Unusable[];
}

export interface ModelCatalog {
	find(provider: string, id: string): Model<Api> | undefined;
	getAll(): readonly Model<Api>[];
	hasConfiguredAuth(model: Model<Api>): boolean;
}

export interface HostModels {
	model: Model<Api> | undefined;
	modelRegistry: ModelCatalog;
	/**
	 * The models that the user listed in `--models` or `enabledModels`. pi 0.73 does not pass this list to
	 * extensions.
	 */
	scopedModels?: readonly { model: Model<Api> }[];
}

/**
 * Returns the models to try, in order: the models that the user named, the active provider's cheapest
 * model in the user's list, and the active model. No other model is tried, because a model's price and
 * name do not reveal its quality or location.
 */
export function chooseModels(
	named: readonly NamedModel[],
	{ model: active, modelRegistry: catalog, scopedModels = [] }: HostModels,
): ModelChoice {
	const found = new Map<string, Candidate>();
	const add = (model: Model<Api> | undefined, source: string) => {
		if (model && !found.has(formatSpec(model))) found.set(formatSpec(model), { model, source });
	};
	const unusable = named.flatMap(({ source, spec }): Unusable[] => {
		const parsed = parseSpec(spec);
		const model = parsed && catalog.find(parsed.provider, parsed.id);
		const isUsable = model && catalog.hasConfiguredAuth(model);
		if (isUsable) add(model, source);
		const near = model ? undefined : nearest(spec, catalog.getAll().map(formatSpec), (text) => text);
		return isUsable ? [] : [{ spec, source, near }];
	});
	// If no model is available, the active model is a placeholder that the registry does not contain.
	if (active && catalog.find(active.provider, active.id)) {
		const listed = scopedModels.map(({ model }) => model);
		const usable = listed.filter((one) => one.provider === active.provider && catalog.hasConfiguredAuth(one));
		add(byPrice(usable)[0], "your model list");
		add(active, "active model");
	}
	return { candidates: [...found.values()], unusable };
}

/** Redacts the model name, because the user may have pasted an API key instead of a name. */
export function describeUnusable({ spec, source, near }: Unusable): string {
	const name = redact(spec);
	if (!near) return `${source}: no credentials for "${name}". Type /login or set the provider's API key.`;
	const hint = near.length > 0 ? ` Did you mean ${near.join(", ")}?` : ' Write it as "provider/model".';
	return `${source}: unknown model "${name}".${hint}`;
}

interface TokenCounts {
	input: number;
	output: number;
}

/** The median token counts of 99 recaps in 25 languages. */
export const RECAP_TOKENS: TokenCounts = { input: 2_250, output: 160 };
export const TITLE_TOKENS: TokenCounts = { input: 400, output: 20 };

/**
 * Returns undefined if the model has no price. A price of 0 is returned as 0, although it may mean that
 * the price is unknown.
 */
export function priceOf({ cost }: Pick<Model<Api>, "cost">, tokens: TokenCounts): number | undefined {
	const isKnown = cost.input >= 0 && cost.output >= 0;
	return isKnown ? (cost.input * tokens.input + cost.output * tokens.output) / 1_000_000 : undefined;
}

export function priceText(
	model: Pick<Model<Api>, "cost" | "baseUrl">,
	tokens: TokenCounts = RECAP_TOKENS,
): string | undefined {
	const price = priceOf(model, tokens);
	if (!price) return price === 0 && isOwnMachine(model.baseUrl) ? "free" : undefined;
	return `about ${costText(price)}`;
}

/**
 * Matches host names of the user's own machines: loopback addresses, private networks (RFC 1918) and
 * names such as `nas.local`.
 */
const OWN_MACHINE =
	/^(?:localhost|.+\.(?:localhost|local|lan|internal)|127\.[\d.]+|10\.[\d.]+|192\.168\.[\d.]+|172\.(?:1[6-9]|2\d|3[01])\.[\d.]+|\[(?:::1|f[cd].*|fe80.*)\]|[\w-]+)$/;

function isOwnMachine(baseUrl: string): boolean {
	return URL.canParse(baseUrl) && OWN_MACHINE.test(new URL(baseUrl).hostname);
}

/** The maximum price of an automatically requested title, in the currency of the price table. */
const TITLE_PRICE = 0.005;

/**
 * Titles are requested automatically only from cheap models or from a model that the user chose for
 * titles. A price of 0 is trusted only if the user named the model or the model runs on the user's own
 * machine.
 */
export function mayTitle({ model, source }: Candidate): boolean {
	if (source === "--title-model" || source === "title.model") return true;
	const price = priceOf(model, TITLE_TOKENS);
	if (price === 0) return source !== "active model" || isOwnMachine(model.baseUrl);
	return price !== undefined && price <= TITLE_PRICE;
}

export function byPrice(models: readonly Model<Api>[]): Model<Api>[] {
	const price = (model: Model<Api>) => priceOf(model, RECAP_TOKENS) ?? Number.POSITIVE_INFINITY;
	const priced = models.filter((model) => price(model) < Number.POSITIVE_INFINITY);
	return priced.sort((a, b) => price(a) - price(b) || a.id.localeCompare(b.id));
}

/**
 * Returns the region in a model id, such as `eu` in `eu.anthropic.…`, or an empty string if there is none.
 * Returns undefined for an ARN (`arn:…`), which hides the model.
 */
export function regionOf(id: string): string | undefined {
	if (id.startsWith("arn:")) return undefined;
	return /^[a-z-]+(?=\.[a-z-]+\.)|(?<=.@)[^@/]+$/i.exec(id)?.[0] ?? "";
}

export function cheaperModel(current: Model<Api>, catalog: ModelCatalog): Model<Api> | undefined {
	const region = regionOf(current.id);
	const price = priceOf(current, RECAP_TOKENS);
	if (region === undefined || !price) return undefined;
	const wordsOf = ({ id }: Model<Api>) => id.split(/[^\p{L}\p{N}]+/u);
	const own = wordsOf(current);
	const similarity = (model: Model<Api>) => {
		const words = wordsOf(model);
		return words.filter((word) => own.includes(word)).length / (own.length + words.length);
	};
	const cheaper = catalog
		.getAll()
		.filter(
			(model) =>
				model.provider === current.provider &&
				regionOf(model.id) === region &&
				!model.id.startsWith(`${current.id}:`) &&
				(priceOf(model, RECAP_TOKENS) || price) <= price / 2 &&
				catalog.hasConfiguredAuth(model),
		);
	return byPrice(cheaper).sort((a, b) => similarity(b) - similarity(a))[0];
}
