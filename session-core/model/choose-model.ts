import type { Api, Model } from "@mariozechner/pi-ai";
import { nearest } from "../text/nearest.ts";
import { redact } from "../text/redact.ts";

/**
 * A model that the user named: `provider/id`. The first slash is the separator: `openrouter/qwen/qwen3` has the provider `openrouter`.
 */
export interface ModelSpec {
	provider: string;
	id: string;
}

/** Parses `provider/id`. Returns undefined if either half is missing. */
export function parseSpec(text: string): ModelSpec | undefined {
	const trimmed = text.trim();
	const slash = trimmed.indexOf("/");
	if (slash <= 0 || slash === trimmed.length - 1) return undefined;
	return { provider: trimmed.slice(0, slash), id: trimmed.slice(slash + 1) };
}

/** The inverse of {@link parseSpec}. */
export function formatSpec(model: ModelSpec): string {
	return `${model.provider}/${model.id}`;
}

/** Why a model was chosen. Shown by `doctor` and `status`. */
export type ChoiceSource = "flag" | "setting" | "fastModel" | "active model" | "cheap model, same provider";

export interface Candidate {
	model: Model<Api>;
	source: ChoiceSource;
}

/** A model in the settings that cannot be used. `near` contains the most similar known models, best first. */
export interface Unusable {
	spec: string;
	source: ChoiceSource;
	reason: "unknown" | "no_credentials";
	near: string[];
}

/** Models in the order in which they are tried. The next one is tried only if credentials are missing or the request is not supported. */
export interface ModelChoice {
	candidates: Candidate[];
	unusable: Unusable[];
}

/** The methods of the host's model registry that the suite uses. */
export interface ModelCatalog {
	find(provider: string, id: string): Model<Api> | undefined;
	getAll(): readonly Model<Api>[];
	hasConfiguredAuth(model: Model<Api>): boolean;
}

export interface NamedModels {
	flag?: string | undefined;
	setting?: string | undefined;
	fastModel?: string | undefined;
}

/** Returns the models for a recap: first those that the user named, then the active model. */
export function recapModels(
	named: NamedModels,
	active: Model<Api> | undefined,
	catalog: ModelCatalog,
): ModelChoice {
	const known = knownModel(active, catalog);
	return choose(named, known ? [{ model: known, source: "active model" }] : [], catalog);
}

/**
 * Returns the models for a title: those that the user named, then models that are cheap enough for an automatic call. A frontier model is
 * called automatically only if the user named it, so the list may be empty.
 */
export function titleModels(
	named: NamedModels,
	active: Model<Api> | undefined,
	catalog: ModelCatalog,
): ModelChoice {
	const known = knownModel(active, catalog);
	return choose(named, known ? cheapFor(known, catalog) : [], catalog);
}

/** If no model is available, the host's active model is a placeholder that its registry does not contain. */
function knownModel(active: Model<Api> | undefined, catalog: ModelCatalog): Model<Api> | undefined {
	return active && catalog.find(active.provider, active.id) ? active : undefined;
}

/** Maximum price per million output tokens at which a model counts as cheap regardless of the active model's price. */
const CHEAP_OUTPUT_PRICE = 1.5;
const SIBLING_SHARE = 1 / 3;
/**
 * Maximum number of cheap models of the active model's provider that are tried, cheapest first. Several are tried, because price tables
 * still list models that the provider has retired.
 */
const SIBLINGS = 4;

/** Returns the cheap models of the active model's provider, then the active model if it is cheap or runs on the user's own machines. */
function cheapFor(active: Model<Api>, catalog: ModelCatalog): Candidate[] {
	const siblings = catalog
		.getAll()
		.filter((model) => model.provider === active.provider && model.id !== active.id)
		// A price of zero means that the price is unknown, as for a subscription or for a free tier that may train on its input.
		.filter(({ cost }) => cost.output > 0 && cost.output <= active.cost.output * SIBLING_SHARE)
		.filter((model) => catalog.hasConfiguredAuth(model))
		.sort((a, b) => a.cost.output - b.cost.output || a.cost.input - b.cost.input || b.id.localeCompare(a.id))
		.slice(0, SIBLINGS)
		.map((model): Candidate => ({ model, source: "cheap model, same provider" }));
	return isCheap(active) ? [...siblings, { model: active, source: "active model" }] : siblings;
}

function isCheap({ cost, baseUrl }: Model<Api>): boolean {
	if (cost.output === 0) return isOwnMachine(baseUrl);
	return cost.output <= CHEAP_OUTPUT_PRICE;
}

/** Matches loopback host names and addresses, addresses in private networks (RFC 1918), and names that resolve only locally. */
const OWN_MACHINE =
	/^(?:localhost|.+\.(?:localhost|local|lan|internal)|127\.[\d.]+|10\.[\d.]+|192\.168\.[\d.]+|172\.(?:1[6-9]|2\d|3[01])\.[\d.]+|\[(?:::1|f[cd].*|fe80.*)\]|[\w-]+)$/;

function isOwnMachine(baseUrl: string): boolean {
	return URL.canParse(baseUrl) && OWN_MACHINE.test(new URL(baseUrl).hostname);
}

function choose(named: NamedModels, fallback: Candidate[], catalog: ModelCatalog): ModelChoice {
	const choice: ModelChoice = { candidates: [], unusable: [] };
	const wanted: [ChoiceSource, string | undefined][] = [
		["flag", named.flag],
		["setting", named.setting],
		["fastModel", named.fastModel],
	];
	for (const [source, spec] of wanted) {
		if (spec) addNamed(choice, source, spec, catalog);
	}
	for (const candidate of fallback) {
		if (!holds(choice.candidates, candidate.model)) choice.candidates.push(candidate);
	}
	return choice;
}

function addNamed(choice: ModelChoice, source: ChoiceSource, spec: string, catalog: ModelCatalog): void {
	const parsed = parseSpec(spec);
	const model = parsed && catalog.find(parsed.provider, parsed.id);
	if (!model) {
		choice.unusable.push({
			spec,
			source,
			reason: "unknown",
			near: nearest(spec, catalog.getAll().map(specOf), (text) => text),
		});
		return;
	}
	if (!catalog.hasConfiguredAuth(model)) {
		choice.unusable.push({ spec, source, reason: "no_credentials", near: [] });
		return;
	}
	if (!holds(choice.candidates, model)) choice.candidates.push({ model, source });
}

function specOf(model: Model<Api>): string {
	return formatSpec(model);
}

function holds(candidates: readonly Candidate[], model: Model<Api>): boolean {
	return candidates.some((known) => known.model.provider === model.provider && known.model.id === model.id);
}

/** Returns one line for the user about a named model that cannot be used. */
export function describeUnusable({ spec, source, reason, near }: Unusable): string {
	if (reason === "no_credentials") {
		return `${source}: no credentials for "${spec}". Use /login or set the provider's key.`;
	}
	const hint = near.length > 0 ? ` Did you mean ${near.join(", ")}?` : ' Expected "provider/model".';
	// The user may have pasted an API key here.
	return `${source}: unknown model "${redact(spec)}".${hint}`;
}
