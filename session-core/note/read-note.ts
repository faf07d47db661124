import { isObject, type JsonObject, jsonObjectsIn } from "../json.ts";
import { withoutInnerThoughts, withoutThoughts } from "../text/thoughts.ts";

/** The parts of a model's answer as it wrote them. A part that is missing or not complete is undefined. */
export interface RawNote {
	recap?: string;
	topic?: string;
	done?: string;
	next?: { kind: string; text: string };
}

const PARTS = ["recap", "topic", "done", "next"] as const;
type Part = (typeof PARTS)[number];

const OPENING = /<(recap|topic|done|next)\b([^<>]*)>/gi;
/** Matches the end of a sentence, including the full stops of other writing systems and any closing quotes and brackets. */
const SENTENCE_END = /[.!?…。！？।؟։።][\p{Pf}\p{Pe}"'*`]*\s*$/u;

/**
 * Reads the parts of an answer, in any order and case. Text outside the tags is never used, because it may be reasoning. An answer without
 * tags may be a JSON object.
 */
export function readNote(answer: string): RawNote {
	const raw = withoutThoughts(answer, OPENING);
	const found = Object.fromEntries(PARTS.map((part) => [part, tagged(raw, part)]));
	const { next, ...texts } = found;
	if (PARTS.every((part) => found[part] === undefined)) return fromJson(jsonObjectsIn(raw).at(-1) ?? {});
	return {
		...Object.fromEntries(Object.entries(texts).flatMap(([part, tag]) => (tag ? [[part, tag.text]] : []))),
		...(next && { next: { kind: kindIn(next.attributes), text: next.text } }),
	};
}

interface Tagged {
	text: string;
	attributes: string;
}

/**
 * Returns the text of the last pair of tags, because a model that thinks aloud mentions the tags before it uses them. An opening tag alone
 * counts only if text or a line break follows directly: "inside <recap> tags" only mentions it. The part then ends at the next one. If there
 * is none, the answer was cut off.
 */
function tagged(raw: string, part: Part): Tagged | undefined {
	const openings = [...raw.matchAll(OPENING)];
	const close = raw.toLowerCase().lastIndexOf(`</${part}>`);
	const own = openings.findLast(
		({ 1: name, index }) => name?.toLowerCase() === part && (close < 0 || index < close),
	);
	if (!own) return undefined;
	const [tag, , attributes = ""] = own;
	const start = own.index + tag.length;
	if (attributes.trim().endsWith("/")) return { attributes, text: "" };
	if (close >= 0) return { attributes, text: plain(raw.slice(start, close)) };
	const after = openings.find(({ index, 1: name }) => index >= start && name?.toLowerCase() !== part)?.index;
	const rest = withoutThoughts(raw.slice(start, after));
	if (!/^(?:\s*\n|\S)/.test(rest)) return undefined;
	const text = after === undefined ? completeIn(rest, part) : rest.trim().split(/\n\s*\n/, 1)[0];
	return text === undefined ? undefined : { attributes, text: plain(text) };
}

/** Returns what is complete in the text at which an answer was cut off. */
function completeIn(text: string, part: Part): string | undefined {
	if (part === "done") return text.slice(0, Math.max(0, text.lastIndexOf("\n")));
	return part !== "topic" && SENTENCE_END.test(text) ? text : undefined;
}

function plain(text: string): string {
	return withoutInnerThoughts(text).replace(/<\/?(?:recap|topic|done|next)\b[^<>]*>/gi, " ");
}

function kindIn(attributes: string): string {
	return /(?:kind|type)\s*=\s*["'“]?([a-z]+)/i.exec(attributes)?.[1]?.toLowerCase() ?? "";
}

function fromJson(object: JsonObject): RawNote {
	const values = new Map(Object.entries(object).map(([key, value]) => [key.toLowerCase(), value]));
	const { recap, topic, done } = Object.fromEntries(PARTS.map((part) => [part, textIn(values.get(part))]));
	const next = values.get("next");
	const own = isObject(next) ? next : {};
	const kind = own["kind"] ?? values.get("kind") ?? values.get("next_kind");
	const text = textIn(isObject(next) ? (own["text"] ?? own["words"] ?? own["lines"]) : next);
	return {
		...(recap !== undefined && { recap }),
		...(topic !== undefined && { topic }),
		...(done !== undefined && { done }),
		...((text !== undefined || typeof kind === "string") && {
			next: { kind: typeof kind === "string" ? kind.toLowerCase() : "", text: text ?? "" },
		}),
	};
}

function textIn(value: unknown): string | undefined {
	if (typeof value === "string") return plain(value);
	return Array.isArray(value)
		? value
				.filter((one) => typeof one === "string")
				.map(plain)
				.join("\n")
		: undefined;
}
