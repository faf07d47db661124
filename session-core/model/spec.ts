/** A model named by the user: `provider/id`. Only the first slash splits: `openrouter/qwen/qwen3` is provider `openrouter`. */
export interface ModelSpec {
	provider: string;
	id: string;
}

/** Read `provider/id`; undefined when either half is missing. */
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

const NEAR_ENOUGH = 0.35;

/** The `count` known specs most like `wanted`, best first, by shared letter pairs (Sørensen–Dice). */
export function nearestSpecs(wanted: string, known: readonly string[], count = 3): string[] {
	const wantedPairs = letterPairs(wanted);
	return known
		.map((spec) => ({
			spec,
			score: Math.max(likeness(wantedPairs, spec), likeness(wantedPairs, idOf(spec))),
		}))
		.filter(({ score }) => score >= NEAR_ENOUGH)
		.sort((a, b) => b.score - a.score || a.spec.localeCompare(b.spec))
		.slice(0, count)
		.map(({ spec }) => spec);
}

function idOf(spec: string): string {
	return parseSpec(spec)?.id ?? spec;
}

function likeness(wantedPairs: ReadonlySet<string>, spec: string): number {
	const pairs = letterPairs(spec);
	let shared = 0;
	for (const pair of pairs) if (wantedPairs.has(pair)) shared++;
	const total = pairs.size + wantedPairs.size;
	return total === 0 ? 0 : (2 * shared) / total;
}

function letterPairs(text: string): Set<string> {
	const lower = text.toLowerCase();
	const pairs = new Set<string>();
	for (let i = 0; i + 1 < lower.length; i++) pairs.add(lower.slice(i, i + 2));
	return pairs;
}
