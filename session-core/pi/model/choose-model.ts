import type { Api, Model } from "@mariozechner/pi-ai";
import { type ModelName, nearest, redact } from "../../text/index.ts";
import { isOwnMachine, priceOf, RECAP_TOKENS, TITLE_TOKENS } from "./price.ts";

/** A spec is split at its first slash: `openrouter/qwen/qwen3` has the provider `openrouter`. */
export function parseSpec(text: string): ModelName | undefined {
	const trimmed = text.trim();
	const slash = trimmed.indexOf("/");
	if (slash <= 0 || slash === trimmed.length - 1) return undefined;
	return { provider: trimmed.slice(0, slash), id: trimmed.slice(slash + 1) };
}

export function formatSpec(model: ModelName): string {
	return `${model.provider}/${model.id}`;
}

export interface Candidate {
	model: Model<Api>;
	/** The flag, setting or command that named the model, `your model list`, or `active model`. Users see this text. */
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

/** A model that the user named, and the flag, setting or command with which the user named it. */
export interface NamedModel {
	spec: string;
	source: string;
}

/**
 * Returns the models to try: those that the user named, then the active provider's cheapest model in the user's own list, then the active
 * model. No other model is called, because neither a model's price nor its name shows what it is suited for or where its provider runs it.
 */
export function chooseModels(
	named: readonly NamedModel[],
	{ model: active, modelRegistry: catalog, scopedModels = [] }: HostModels,
): ModelChoice {
	const choice: ModelChoice = { candidates: [], unusable: [] };
	const add = (model: Model<Api> | undefined, source: string) => {
		if (model && !choice.candidates.some((known) => formatSpec(known.model) === formatSpec(model)))
			choice.candidates.push({ model, source });
	};
	for (const { source, spec } of named) {
		const parsed = parseSpec(spec);
		const model = parsed && catalog.find(parsed.provider, parsed.id);
		if (model && catalog.hasConfiguredAuth(model)) add(model, source);
		else {
			const near = model ? undefined : nearest(spec, catalog.getAll().map(formatSpec), (text) => text);
			choice.unusable.push({ spec, source, near });
		}
	}
	// If no model is available, the host's active model is a placeholder that its registry does not contain.
	if (!active || !catalog.find(active.provider, active.id)) return choice;
	const listed = scopedModels
		.map(({ model }) => model)
		.filter(({ provider }) => provider === active.provider);
	const usable = listed.filter((model) => catalog.hasConfiguredAuth(model));
	add(byPrice(usable)[0], "your model list");
	add(active, "active model");
	return choice;
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
	return models
		.filter((model) => price(model) < Number.POSITIVE_INFINITY)
		.sort((a, b) => price(a) - price(b) || a.id.localeCompare(b.id));
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
	const words = ({ id }: Model<Api>) => id.split(/[^\p{L}\p{N}]+/u);
	const own = words(current);
	const similarity = (model: Model<Api>) => {
		const others = words(model);
		return others.filter((word) => own.includes(word)).length / (own.length + others.length);
	};
	const cheaper = catalog
		.getAll()
		.filter((model) => model.provider === current.provider && regionOf(model.id) === region)
		// Leaves out variants of the same model, such as `:batch`.
		.filter((model) => !model.id.startsWith(`${current.id}:`))
		.filter(
			(model) => (priceOf(model, RECAP_TOKENS) || price) <= price / 2 && catalog.hasConfiguredAuth(model),
		);
	return byPrice(cheaper).sort((a, b) => similarity(b) - similarity(a))[0];
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
