import type { Api, Model } from "@mariozechner/pi-ai";
import { costText, type ModelName, nearest, redact } from "../../text/index.ts";

/** A spec is split at its first slash: `openrouter/qwen/qwen3` has the provider `openrouter`. */
export function parseSpec(text: string): ModelName | undefined {
	const [, provider, id] = /^([^/]+)\/(.+)$/s.exec(text.trim()) ?? [];
	return provider && id ? { provider, id } : undefined;
}

export function formatSpec(model: ModelName): string {
	return `${model.provider}/${model.id}`;
}

export interface Candidate {
	model: Model<Api>;
	/** The flag, setting or command that named the model, `your model list`, or `active model`. Users see this text. */
	source: string;
}

/** A model that the user named, and the flag, setting or command with which the user named it. */
export interface NamedModel {
	spec: string;
	source: string;
}

interface Unusable extends NamedModel {
	/** The most similar known models, best first; undefined if the model is known but has no credentials. */
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
	/** The user's own list of models (`--models` or `enabledModels`); empty if there is none. pi 0.73 does not pass it to extensions. */
	scopedModels?: readonly { model: Model<Api> }[];
}

/**
 * Returns the models to try: those that the user named, then the active provider's cheapest model in the user's own list, then the active
 * model. No other model is called, because neither a model's price nor its name shows what it is suited for or where its provider runs it.
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
	// If no model is available, the host's active model is a placeholder that its registry does not contain.
	if (active && catalog.find(active.provider, active.id)) {
		const listed = scopedModels.map(({ model }) => model);
		const usable = listed.filter((one) => one.provider === active.provider && catalog.hasConfiguredAuth(one));
		add(byPrice(usable)[0], "your model list");
		add(active, "active model");
	}
	return { candidates: [...found.values()], unusable };
}

/**
 * Returns one line for the user about a named model that cannot be used. The user may have pasted an API key in place of the model's name.
 * The line is the same in all extensions, so that it is shown only once.
 */
export function describeUnusable({ spec, source, near }: Unusable): string {
	const name = redact(spec);
	if (!near) return `${source}: no credentials for "${name}". Use /login or set the provider's key.`;
	const hint = near.length > 0 ? ` Did you mean ${near.join(", ")}?` : ' Expected "provider/model".';
	return `${source}: unknown model "${name}".${hint}`;
}

interface Tokens {
	input: number;
	output: number;
}

/** The median token counts of 99 recaps in 25 languages. Half of the input is instructions. */
export const RECAP_TOKENS: Tokens = { input: 2_250, output: 160 };
export const TITLE_TOKENS: Tokens = { input: 400, output: 20 };

/**
 * Returns the price of a call; undefined if the model has no price. 0 means that the model is free or that the host does not know its
 * price.
 */
export function priceOf({ cost }: Pick<Model<Api>, "cost">, tokens: Tokens): number | undefined {
	const isKnown = cost.input >= 0 && cost.output >= 0;
	return isKnown ? (cost.input * tokens.input + cost.output * tokens.output) / 1_000_000 : undefined;
}

/** Returns what a request costs with this model, such as `about $0.011`; undefined if that is unknown. */
export function priceText(
	model: Pick<Model<Api>, "cost" | "baseUrl">,
	tokens: Tokens = RECAP_TOKENS,
): string | undefined {
	const price = priceOf(model, tokens);
	if (!price) return price === 0 && isOwnMachine(model.baseUrl) ? "free" : undefined;
	return `about ${costText(price)}`;
}

/** Matches loopback host names and addresses, addresses in private networks (RFC 1918), and names that resolve only locally. */
const OWN_MACHINE =
	/^(?:localhost|.+\.(?:localhost|local|lan|internal)|127\.[\d.]+|10\.[\d.]+|192\.168\.[\d.]+|172\.(?:1[6-9]|2\d|3[01])\.[\d.]+|\[(?:::1|f[cd].*|fe80.*)\]|[\w-]+)$/;

function isOwnMachine(baseUrl: string): boolean {
	return URL.canParse(baseUrl) && OWN_MACHINE.test(new URL(baseUrl).hostname);
}

/** Maximum price of a title that may be requested automatically. */
const TITLE_PRICE = 0.005;

/**
 * Whether a title may be requested from this model automatically: the user chose it for titles, or a title is cheap. If the host shows a
 * price of 0, the result is true only for a model that the user named or that runs on the user's own machines.
 */
export function mayTitle({ model, source }: Candidate): boolean {
	if (source === "--title-model" || source === "title.model") return true;
	const price = priceOf(model, TITLE_TOKENS);
	if (price === 0) return source !== "active model" || isOwnMachine(model.baseUrl);
	return price !== undefined && price <= TITLE_PRICE;
}

/** Returns the models that have a price, sorted so that the model with the cheapest recap comes first. */
export function byPrice(models: readonly Model<Api>[]): Model<Api>[] {
	const price = (model: Model<Api>) => priceOf(model, RECAP_TOKENS) ?? Number.POSITIVE_INFINITY;
	const priced = models.filter((model) => price(model) < Number.POSITIVE_INFINITY);
	return priced.sort((a, b) => price(a) - price(b) || a.id.localeCompare(b.id));
}

/**
 * Returns where the provider runs a model, as far as its id shows it: the part before the vendor (`eu.anthropic.…`) or after `@`. Empty if
 * the id names no region; undefined if the id hides the model (`arn:…`).
 */
export function regionOf(id: string): string | undefined {
	if (id.startsWith("arn:")) return undefined;
	return /^[a-z-]+(?=\.[a-z-]+\.)|(?<=.@)[^@/]+$/i.exec(id)?.[0] ?? "";
}

/**
 * Returns a model from the same provider and region whose recap costs at most half as much, so that it can be suggested to the user. Among
 * these models, the model with the most similar id is most likely a smaller model from the same family.
 */
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
	const cheaper = catalog.getAll().filter(
		(model) =>
			model.provider === current.provider &&
			regionOf(model.id) === region &&
			// Leaves out variants of the same model, such as `:batch`.
			!model.id.startsWith(`${current.id}:`) &&
			(priceOf(model, RECAP_TOKENS) || price) <= price / 2 &&
			catalog.hasConfiguredAuth(model),
	);
	return byPrice(cheaper).sort((a, b) => similarity(b) - similarity(a))[0];
}
