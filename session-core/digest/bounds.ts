import { redactPem } from "../text/redact-pem.ts";
import { REDACTED } from "../text/redacted.ts";

/**
 * A text bounded in the middle, cut at line ends: heads name results, tails ask. Key blocks go before the cut: one
 * that lost its first line to it could not be told any more.
 */
export function headAndTail(original: string, bound: number): string {
	if (original.length <= bound) return original;
	const text = redactPem(original, REDACTED);
	if (text.length <= bound) return text;
	const head = text.slice(0, Math.floor(bound * 0.6));
	const tail = text.slice(-Math.floor(bound * 0.4));
	const headEnd = head.lastIndexOf("\n") > bound * 0.2 ? head.lastIndexOf("\n") : head.length;
	const tailStart = tail.indexOf("\n") >= 0 && tail.indexOf("\n") < bound * 0.2 ? tail.indexOf("\n") + 1 : 0;
	return `${head.slice(0, headEnd)}\n…\n${tail.slice(tailStart)}`;
}
