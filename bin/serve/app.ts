import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { LanguageCode } from "../../session-core/words/languages.ts";
import { type AdmitDeps, createAdmit } from "./admit.ts";
import { addHeaders, refuse, type ServeContext, type ServeEnv, sendJson } from "./context.ts";
import { SECURITY_HEADERS } from "./headers.ts";
import { type ListenDeps, listen } from "./listen.ts";
import { type PageFile, pageFile } from "./page-files.ts";
import { pageLanguage, pageWordsModule } from "./page-words.ts";
import { PROBLEMS } from "./problems.ts";
import type { Route } from "./route.ts";

/** Bytes of a request's body. */
const MAX_BODY = 64 * 1024;

export interface AppDeps extends AdmitDeps, ListenDeps {
	routes: readonly Route[];
	openApi: unknown;
	page: ReadonlyMap<string, PageFile>;
	/** The `language` setting. */
	language(): Promise<LanguageCode | undefined>;
}

/** The server as a function of requests. */
export function createApp(deps: AppDeps): Hono<ServeEnv> {
	const app = new Hono<ServeEnv>();
	const admit = createAdmit(deps);
	const limited = bodyLimit({ maxSize: MAX_BODY, onError: (context) => refuse(context, PROBLEMS.tooLarge) });
	app.use(async (context, next) => {
		addHeaders(context, SECURITY_HEADERS);
		await next();
	});
	for (const [path, file] of deps.page) {
		app.get(path, (context) => admit(context, undefined) ?? sendFile(context, file));
	}
	app.get(
		"/words.js",
		async (context) => admit(context, undefined) ?? sendWords(context, await deps.language()),
	);
	for (const route of deps.routes) {
		app.on(
			[route.method.toUpperCase()],
			[route.path],
			async (context, next) => admit(context, route.access) ?? next(),
			async (context, next) => (route.body ? limited(context, next) : next()),
			async (context) => run(context, route),
		);
	}
	app.get("/openapi.json", (context) => admit(context, "read") ?? sendJson(context, deps.openApi));
	app.get("/v1/live", (context) => admit(context, "read") ?? listen(context, deps));
	app.notFound((context) => admit(context, "read") ?? refuse(context, PROBLEMS.notFound));
	app.onError((_error, context) => refuse(context, PROBLEMS.broken));
	return app;
}

async function run(context: ServeContext, route: Route): Promise<Response> {
	const body = route.body ? await readJson(context) : undefined;
	if (route.body && body === undefined) return refuse(context, PROBLEMS.notJson);
	const answer = await route.run({
		params: context.req.param(),
		query: context.req.query(),
		body,
		access: context.get("access"),
	});
	return answer.ok ? sendJson(context, answer.body, answer) : refuse(context, answer.problem);
}

/** Undefined for what is no JSON, or does not say that it is: a form of another site cannot say so. */
async function readJson(context: ServeContext): Promise<unknown> {
	if (!/^application\/json\s*(;|$)/i.test(context.req.header("content-type") ?? "")) return undefined;
	try {
		return await context.req.json();
	} catch {
		return undefined;
	}
}

async function sendWords(context: ServeContext, setting: LanguageCode | undefined): Promise<Response> {
	const code = pageLanguage(setting, context.req.header("accept-language"));
	const bytes = Buffer.from(await pageWordsModule(code));
	context.header("Vary", "Accept-Language");
	return sendFile(context, pageFile(bytes, ".js"));
}

function sendFile(context: ServeContext, { bytes, type, tag }: PageFile): Response {
	addHeaders(context, { "Cache-Control": "no-cache", ETag: tag });
	if (context.req.header("if-none-match") === tag) return context.body(null, 304);
	return context.body(new Uint8Array(bytes), 200, { "Content-Type": type });
}
