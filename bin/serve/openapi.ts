import type { TObject } from "typebox";
import type { Route } from "./route.ts";
import { ErrorSchema, type Schema } from "./schemas.ts";

/** What any route may say, whatever is asked of it. */
const COMMON = [401, 403, 421, 429, 500];

/** An OpenAPI 3.1 document (its schemas are JSON Schema, as TypeBox's are) of these routes. */
export function openApiOf(routes: readonly Route[], version: string): unknown {
	const paths: Record<string, Record<string, unknown>> = {};
	for (const route of routes) {
		const path = route.path.replace(/:(\w+)/g, "{$1}");
		paths[path] = { ...paths[path], [route.method]: operation(route) };
	}
	paths["/v1/live"] = { get: LIVE };
	return {
		openapi: "3.1.0",
		info: {
			title: "pi-sessions",
			version,
			description: "pi sessions: what they do, their recaps, and how to go on.",
		},
		security: [{ bearer: [] }],
		paths,
		components: {
			securitySchemes: { bearer: { type: "http", scheme: "bearer" } },
			schemas: { Error: ErrorSchema },
		},
	};
}

function operation(route: Route): unknown {
	const { summary, access, body, answers, refusals } = route;
	const parameters = [...pathParameters(route.path), ...queryParameters(route.query)];
	return {
		summary: access === "act" ? `${summary} (not with a read-only token)` : summary,
		...(parameters.length > 0 && { parameters }),
		...(body && { requestBody: { required: true, content: json(body) } }),
		responses: {
			...Object.fromEntries(
				Object.entries(answers).map(([status, schema]) => [
					status,
					{ description: summary, content: json(schema) },
				]),
			),
			...Object.fromEntries([...COMMON, ...refusals].map((status) => [status, REFUSAL])),
		},
	};
}

const REFUSAL = {
	description: "Refused, with the reason and the remedy",
	content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
};

const LIVE = {
	summary: "What changes, as server-sent events: hello, live, sessions, reload",
	description:
		"hello and live: counts and every open session's state. sessions: those that changed, and ids that are gone. reload: ask for the list again. A client that sends Last-Event-ID gets what it missed.",
	responses: {
		200: { description: "Events", content: { "text/event-stream": { schema: { type: "string" } } } },
	},
};

function json(schema: Schema): unknown {
	return { "application/json": { schema } };
}

function pathParameters(path: string): unknown[] {
	return [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
		name,
		in: "path",
		required: true,
		schema: { type: "string" },
	}));
}

function queryParameters(query: TObject | undefined): unknown[] {
	const required: readonly string[] = query?.required ?? [];
	return Object.entries(query?.properties ?? {}).map(([name, schema]) => ({
		name,
		in: "query",
		required: required.includes(name),
		schema,
	}));
}
