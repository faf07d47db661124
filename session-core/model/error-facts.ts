import { isObject, type JsonObject } from "../json.ts";

/** What a provider's error says as facts: the rest of it is words. */
export interface ErrorFacts {
	/** HTTP status. */
	status: number | undefined;
	/** Codes and types of the body, names of exceptions, error codes of the platform: lower case, letters and digits only. */
	codes: string[];
	/** The message in the body, else the text. */
	message: string;
}

/** How clients write the status before the body: `401 …`, `Mistral API error (401): …`, `got status: 401 …`. */
const STATUS =
	/^(?:Error: )?(?:HTTP )?([45]\d\d)(?=$|[\s:])|^[\w ]*\berror \(([45]\d\d)\)|\bstatus(?: code)?:? ([45]\d\d)\b/i;
/** `ThrottlingException: …`, as the AWS client names it. */
const EXCEPTION = /^(\w+(?:Exception|Error)):\s/;
/** `connect ECONNREFUSED 127.0.0.1:9`: the platform's own codes. */
const PLATFORM = /\b(?:E[A-Z]{3,}(?:_[A-Z]+)?|UND_ERR_[A-Z_]+)\b/g;

/** Read an error that was thrown or reported. What a client put into fields counts before what it wrote into the text. */
export function errorFacts(error: unknown): ErrorFacts {
	const text = error instanceof Error ? error.message : String(error);
	const fields = fieldsOf(error);
	const body = bodyIn(text);
	const inBody = body === undefined ? { codes: [] } : readBody(body);
	const codes = [
		...fields.codes,
		...inBody.codes,
		...[EXCEPTION.exec(text)?.[1] ?? ""],
		...(body === undefined ? (text.match(PLATFORM) ?? []) : []),
	];
	return {
		status: fields.status ?? statusIn(text) ?? inBody.status,
		codes: [...new Set(codes.map(normal).filter(Boolean))],
		message: inBody.message ?? proseOf(withoutStatus(text)),
	};
}

interface Facts {
	status?: number | undefined;
	codes: string[];
	message?: string | undefined;
}

/** `status`, `code` and the chain of causes, as fetch and the SDKs set them. */
function fieldsOf(error: unknown): Facts {
	const facts: Facts = { codes: [] };
	let at: unknown = error;
	for (let depth = 0; depth < 4 && isObject(at); depth++) {
		facts.status ??= asStatus(at["status"] ?? at["statusCode"]);
		for (const field of ["code", "name"]) {
			const value = at[field];
			if (typeof value === "string" && value !== "Error") facts.codes.push(value);
		}
		at = at["cause"];
	}
	return facts;
}

/** The JSON object in a text: the whole of it, or from its first brace to its last. */
function bodyIn(text: string): JsonObject | undefined {
	const from = text.indexOf("{");
	const to = text.lastIndexOf("}");
	if (from < 0 || to < from) return undefined;
	return parse(text.slice(from, to + 1)) ?? parse(text.slice(from).split("\n", 1)[0] ?? "");
}

function parse(text: string): JsonObject | undefined {
	try {
		const value: unknown = JSON.parse(text);
		return isObject(value) ? value : undefined;
	} catch {
		// Braces in prose, or a body that was cut: then the text is all there is.
		return undefined;
	}
}

const CODE_FIELDS = ["type", "code", "status", "__type", "reason"];

/** The codes of a body, of the `error` in it, of its `details`, and of a body that stands as text in its message. */
function readBody(body: JsonObject, depth = 0): Facts {
	const facts: Facts = { codes: [] };
	for (const field of CODE_FIELDS) {
		const value = body[field];
		facts.status ??= asStatus(value);
		if (typeof value === "string") facts.codes.push(value);
	}
	const text = [body["message"], body["detail"], body["error"]].find((value) => typeof value === "string");
	if (typeof text === "string") facts.message = text;
	if (depth > 3) return facts;
	const { error, details } = body;
	const nested = [error, ...(Array.isArray(details) ? details : []), facts.message && bodyIn(facts.message)];
	for (const part of nested) {
		if (!isObject(part)) continue;
		const inner = readBody(part, depth + 1);
		facts.status ??= inner.status;
		facts.codes.push(...inner.codes);
		if (part !== error && facts.message !== undefined && !facts.message.startsWith("{")) continue;
		facts.message = inner.message ?? facts.message;
	}
	return facts;
}

function statusIn(text: string): number | undefined {
	const match = STATUS.exec(text);
	return asStatus(match?.[1] ?? match?.[2] ?? match?.[3]);
}

function withoutStatus(text: string): string {
	return text.replace(/^[45]\d\d\s+/, "").replace(/^status code \(no body\)$/, "");
}

/** Of a page that a proxy answers with, its title. */
function proseOf(text: string): string {
	if (!/^\s*<(?:!doctype|html)/i.test(text)) return text;
	return /<title>([^<]{0,200})<\/title>/i.exec(text)?.[1] ?? "";
}

function asStatus(value: unknown): number | undefined {
	const status = typeof value === "string" && /^\d{3}$/.test(value) ? Number(value) : value;
	return typeof status === "number" && status >= 400 && status < 600 ? status : undefined;
}

function normal(code: string): string {
	return code.toLowerCase().replace(/[^a-z0-9]/g, "");
}
