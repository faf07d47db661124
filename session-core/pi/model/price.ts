import type { Api, Model } from "@mariozechner/pi-ai";
import { costText } from "../../text/index.ts";

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

/** Matches loopback host names and addresses, addresses in private networks (RFC 1918), and names that resolve only locally. */
const OWN_MACHINE =
	/^(?:localhost|.+\.(?:localhost|local|lan|internal)|127\.[\d.]+|10\.[\d.]+|192\.168\.[\d.]+|172\.(?:1[6-9]|2\d|3[01])\.[\d.]+|\[(?:::1|f[cd].*|fe80.*)\]|[\w-]+)$/;

export function isOwnMachine(baseUrl: string): boolean {
	return URL.canParse(baseUrl) && OWN_MACHINE.test(new URL(baseUrl).hostname);
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
