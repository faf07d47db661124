import type { Api, Model } from "@mariozechner/pi-ai";
import { nearest } from "../text/matching.ts";
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

export function formatSpec(model: ModelSpec): string {
	return `${model.provider}/${model.id}`;
}

/** Why a model was chosen. Shown by `doctor` and `status`. */
type ChoiceSource = "flag" | "setting" | "fastModel" | "active model" | "cheap model, same vendor";

export interface Candidate {
	model: Model<Api>;
	source: ChoiceSource;
}

interface Unusable {
	spec: string;
	source: ChoiceSource;
	/** The most similar known models, best first; undefined if the model is known but has no credentials. */
	near: string[] | undefined;
}

/** Models in the order in which they are tried. The next one is tried only if credentials are missing or the request is not supported. */
export interface ModelChoice {
	candidates: Candidate[];
	unusable: Unusable[];
}

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

/**
 * Returns the models to try: those that the user named, then the cheap models, then the active model, if it may be used. A frontier model
 * is called for a title automatically only if the user named it, so the list may be empty.
 */
export function chooseModels(
	named: NamedModels,
	active: Model<Api> | undefined,
	catalog: ModelCatalog,
	mayUse: (active: Model<Api>) => boolean = () => true,
): ModelChoice {
	const choice: ModelChoice = { candidates: [], unusable: [] };
	const add = (candidate: Candidate) => {
		if (!choice.candidates.some(({ model }) => formatSpec(model) === formatSpec(candidate.model)))
			choice.candidates.push(candidate);
	};
	const wanted: [ChoiceSource, string | undefined][] = [
		["flag", named.flag],
		["setting", named.setting],
		["fastModel", named.fastModel],
	];
	for (const [source, spec] of wanted) {
		if (!spec) continue;
		const parsed = parseSpec(spec);
		const model = parsed && catalog.find(parsed.provider, parsed.id);
		if (model && catalog.hasConfiguredAuth(model)) add({ model, source });
		else {
			const near = model ? undefined : nearest(spec, catalog.getAll().map(formatSpec), (text) => text);
			choice.unusable.push({ spec, source, near });
		}
	}
	const known = knownModel(active, catalog);
	if (known) cheapSiblings(known, catalog).forEach(add);
	if (known && mayUse(known)) add({ model: known, source: "active model" });
	return choice;
}

/** If no model is available, the host's active model is a placeholder that its registry does not contain. */
function knownModel(active: Model<Api> | undefined, catalog: ModelCatalog): Model<Api> | undefined {
	return active && catalog.find(active.provider, active.id) ? active : undefined;
}

/** Maximum price per million output tokens at which a model counts as cheap regardless of the active model's price. */
const CHEAP_OUTPUT_PRICE = 1.5;
const SIBLING_SHARE = 1 / 3;
/**
 * Maximum number of cheap models that are tried. Several are tried, because price tables still list models that the provider has retired.
 */
const SIBLINGS = 4;
/** Words in a model's id that indicate other terms of use, for example that the vendor may train on the input. */
const OTHER_TERMS = /(?:^|[^a-z])(?:contributor|free|batch|trial|experimental|exp|preview)(?![a-z])/i;

/**
 * Returns the cheap models: those of the active model's provider and vendor that have credentials and cost at most a third of the active
 * model, the most expensive first. A price of zero means that the price is unknown, as for a subscription.
 */
function cheapSiblings(active: Model<Api>, catalog: ModelCatalog): Candidate[] {
	return catalog
		.getAll()
		.filter((model) => model.provider === active.provider && model.id !== active.id)
		.filter(({ cost }) => cost.output > 0 && cost.output <= active.cost.output * SIBLING_SHARE)
		.filter(({ id }) => !OTHER_TERMS.test(id) && vendorOf(id) === vendorOf(active.id))
		.filter((model) => catalog.hasConfiguredAuth(model))
		.sort((a, b) => b.cost.output - a.cost.output || b.cost.input - a.cost.input || b.id.localeCompare(a.id))
		.slice(0, SIBLINGS)
		.map((model): Candidate => ({ model, source: "cheap model, same vendor" }));
}

/** The names of model families, by vendor. A provider that resells models of several vendors may list them without the vendor's name. */
const FAMILIES: readonly (readonly [vendor: string, families: RegExp])[] = [
	["anthropic", /^(?:anthropic|claude)$/],
	["openai", /^(?:openai|gpt|chatgpt|codex|davinci|o\d)$/],
	["google", /^(?:google|gemini|gemma)$/],
	["xai", /^(?:xai|grok)$/],
	["zai", /^(?:zai|zhipu|glm)$/],
	["moonshot", /^(?:moonshot|moonshotai|kimi)$/],
	["alibaba", /^(?:alibaba|qwen|qwq|tongyi)$/],
	["deepseek", /^deepseek$/],
	["mistral", /^(?:mistral|mistralai|mixtral|codestral|devstral|ministral|magistral|pixtral)$/],
	["meta", /^(?:meta|llama|muse)$/],
	["minimax", /^(?:minimax|minimaxai|abab)$/],
	["amazon", /^(?:amazon|nova|titan)$/],
	["cohere", /^(?:cohere|command)$/],
	["nvidia", /^(?:nvidia|nemotron)$/],
	["xiaomi", /^(?:xiaomi|mimo)$/],
	["microsoft", /^(?:microsoft|phi)$/],
	["bytedance", /^(?:bytedance|doubao|seed)$/],
];

/**
 * Returns the vendor of a model, as far as its id shows it: the prefix that a router puts before the name (`anthropic/…`), and the vendor of
 * the first known family in the id. Ids that show neither are considered models of the provider itself.
 */
function vendorOf(id: string): string {
	const slash = id.lastIndexOf("/");
	const prefix = id
		.slice(0, Math.max(0, slash))
		.replace(/^[^a-z0-9]+/i, "")
		.toLowerCase();
	const words = id.toLowerCase().match(/[a-z]+\d?/g) ?? [];
	const vendors = words.flatMap((word) => {
		const letters = word.replace(/\d$/, "");
		return FAMILIES.filter(([, families]) => families.test(word) || families.test(letters));
	});
	return `${prefix} ${vendors[0]?.[0] ?? ""}`;
}

/** Whether a model costs so little that it may be called for a title automatically. */
export function isCheap({ cost, baseUrl }: Model<Api>): boolean {
	if (cost.output === 0) return isOwnMachine(baseUrl);
	return cost.output <= CHEAP_OUTPUT_PRICE;
}

/** Matches loopback host names and addresses, addresses in private networks (RFC 1918), and names that resolve only locally. */
const OWN_MACHINE =
	/^(?:localhost|.+\.(?:localhost|local|lan|internal)|127\.[\d.]+|10\.[\d.]+|192\.168\.[\d.]+|172\.(?:1[6-9]|2\d|3[01])\.[\d.]+|\[(?:::1|f[cd].*|fe80.*)\]|[\w-]+)$/;

function isOwnMachine(baseUrl: string): boolean {
	return URL.canParse(baseUrl) && OWN_MACHINE.test(new URL(baseUrl).hostname);
}

/** Returns one line for the user about a named model that cannot be used. */
export function describeUnusable({ spec, source, near }: Unusable): string {
	if (!near) return `${source}: no credentials for "${spec}". Use /login or set the provider's key.`;
	const hint = near.length > 0 ? ` Did you mean ${near.join(", ")}?` : ' Expected "provider/model".';
	// The user may have pasted an API key here.
	return `${source}: unknown model "${redact(spec)}".${hint}`;
}
