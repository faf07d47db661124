/** A route as data: what it takes, what it gives, and who may ask. */
import type { Static, TObject } from "typebox";
import { Value } from "typebox/value";
import type { Access } from "./access.ts";
import { type Answer, refused } from "./problem.ts";
import type { Schema } from "./schemas.ts";

/** A request as it came, with nothing checked but who asks. */
export interface RawRequest {
	params: Readonly<Record<string, string>>;
	query: Readonly<Record<string, string>>;
	/** Parsed JSON; only where the route takes a body. */
	body: unknown;
	access: Access;
}

export interface Route {
	method: "get" | "post";
	/** As Hono and OpenAPI users write it: `/v1/sessions/:id`. */
	path: string;
	summary: string;
	access: Access;
	query: TObject | undefined;
	body: TObject | undefined;
	/** What is answered, by status; refusals have a shape of their own. */
	answers: Readonly<Record<number, Schema>>;
	/** Statuses of the refusals that are this route's own. */
	refusals: readonly number[];
	run(request: RawRequest): Promise<Answer>;
}

export interface RouteOptions<Query extends TObject, Body extends TObject>
	extends Pick<Route, "method" | "path" | "summary" | "access" | "answers"> {
	query?: Query;
	body?: Body;
	refusals?: readonly number[];
	handle(request: {
		params: Readonly<Record<string, string>>;
		query: Static<Query>;
		body: Static<Body>;
		access: Access;
	}): Answer | Promise<Answer>;
}

/** A route whose handler sees only requests that keep to its schemas. */
export function route<Query extends TObject, Body extends TObject>(
	options: RouteOptions<Query, Body>,
): Route {
	const { query, body, refusals = [], handle, ...rest } = options;
	return {
		...rest,
		query,
		body,
		refusals: query || body ? [...new Set([...refusals, 422])] : refusals,
		run: async (request) => {
			// A query is text; numbers and the like are read from it.
			const asked = query ? Value.Convert(query, request.query) : {};
			const wrong = faultIn(query, asked, "query") ?? faultIn(body, request.body, "body");
			if (wrong !== undefined) {
				return refused(422, "invalid", wrong, "See /openapi.json for what is expected.");
			}
			return handle({
				params: request.params,
				query: asked as Static<Query>,
				body: request.body as Static<Body>,
				access: request.access,
			});
		},
	};
}

/** What is wrong with a value, in one sentence that quotes nothing of it but names. */
function faultIn(schema: TObject | undefined, value: unknown, where: string): string | undefined {
	if (!schema || Value.Check(schema, value)) return undefined;
	const errors = Value.Errors(schema, value);
	const unknown = errors.find(({ keyword }) => keyword === "additionalProperties");
	if (unknown?.keyword === "additionalProperties") {
		return `Unknown in the ${where}: ${unknown.params.additionalProperties.join(", ").slice(0, 100)}.`;
	}
	const choice = errors.find(({ keyword }) => keyword === "enum");
	const [first] = errors;
	const name = first?.instancePath.slice(1) || where;
	if (choice?.keyword === "enum")
		return `${name}: expected one of ${choice.params.allowedValues.join(", ")}.`;
	return `${name}: ${first?.message ?? "not as expected"}.`;
}
