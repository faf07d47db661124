import { type Part, partsOf } from "./renderparts.ts";
import type { Digest } from "./types.ts";

/** Hard bound of the facts; with the fence and the instruction around them the input stays within 12,000 characters. */
export const RENDER_BOUND = 11_600;

/**
 * The digest as a model reads it: at most 12,000 characters, sanitised and redacted. Parts that decide truthfulness (how the
 * reply ended, failures, checks) are bounded when they are built and never dropped; of the rest the least telling goes first.
 */
export function renderDigest(digest: Digest): string {
	const parts = partsOf(digest).filter((part) => part.body !== "");
	let text = join(parts);
	while (text.length > RENDER_BOUND) {
		const expendable = parts.reduce(
			(worst, part, index) => (part.rank > (parts[worst]?.rank ?? 0) ? index : worst),
			0,
		);
		if ((parts[expendable]?.rank ?? 0) === 0) return text.slice(0, RENDER_BOUND);
		parts.splice(expendable, 1);
		text = join(parts);
	}
	return text;
}

function join(parts: readonly Part[]): string {
	return parts
		.map(({ title, body }) =>
			body.includes("\n") || body.startsWith("- ") ? `${title}:\n${body}` : `${title}: ${body}`,
		)
		.join("\n\n");
}
