import type { Api, Model } from "@mariozechner/pi-ai";

/** What a call may cost, as known before it is made. In the currency of the model's price table. */
export interface Estimate {
	/** Tokens that are sent. */
	input: number;
	/** What they cost. */
	cost: number;
	/** What the longest answer would cost on top, and the input with it. */
	most: number;
	/** The model has no price. */
	unpriced: boolean;
}

/** As plain text has them; nobody knows better before the provider counts. */
const CHARACTERS_PER_TOKEN = 4;
const TOKENS_PER_PRICE = 1_000_000;

/** Price a call by the characters that it sends and the tokens that it may be answered with. */
export function estimateCall(
	{ cost }: Pick<Model<Api>, "cost">,
	{ characters, maxTokens }: { characters: number; maxTokens: number },
): Estimate {
	const input = Math.ceil(characters / CHARACTERS_PER_TOKEN);
	const inputCost = (input * cost.input) / TOKENS_PER_PRICE;
	return {
		input,
		cost: inputCost,
		most: inputCost + (maxTokens * cost.output) / TOKENS_PER_PRICE,
		unpriced: cost.input === 0 && cost.output === 0,
	};
}
