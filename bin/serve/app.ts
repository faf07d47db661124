import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { HTTPException } from "hono/http-exception";
import { routePath } from "hono/route";
import { secureHeaders } from "hono/secure-headers";
import { knownHost, mayAct, sameOrigin, withToken } from "./access.ts";
import { PROBLEMS, refuse, type ServeEnv } from "./answer.ts";
import type { RoutesDeps } from "./find.ts";
import { addPage } from "./page.ts";
import { addRoutes } from "./routes.ts";
import { listen, type NewsSource } from "./stream.ts";
import type { Tokens } from "./tokens.ts";

export interface AppDeps extends RoutesDeps {
	news: NewsSource;
	tokens: Tokens;
	/** The server's host names other than the loopback names. */
	hosts: ReadonlySet<string>;
	/** Logs a bug. `route` is the pattern of the route, without ids. */
	report(bug: unknown, route: string): void;
}

const MAX_BODY_BYTES = 64 * 1024;

/** Returns the server's request handler. The page is public; everything else needs a token. */
export function createApp(deps: AppDeps): Hono<ServeEnv> {
	const app = new Hono<ServeEnv>();
	app.use(headers, knownHost(deps.hosts));
	addPage(app);
	app.use(sameOrigin, withToken(deps.tokens));
	const onError = (context: Parameters<typeof refuse>[0]) => refuse(context, PROBLEMS.tooLarge);
	app.post("*", mayAct, bodyLimit({ maxSize: MAX_BODY_BYTES, onError }));
	addRoutes(app, deps);
	app.get("/v1/live", (context) => listen(context, deps.news));
	app.notFound((context) => refuse(context, PROBLEMS.notFound));
	app.onError((error, context) => {
		if (error instanceof HTTPException) return error.getResponse();
		deps.report(error, `${context.req.method} ${routePath(context)}`);
		return refuse(context, PROBLEMS.broken);
	});
	return app;
}

/** The page has no inline script or style, loads nothing from other servers, and cannot be framed. */
const headers = secureHeaders({
	contentSecurityPolicy: {
		defaultSrc: ["'none'"],
		scriptSrc: ["'self'"],
		styleSrc: ["'self'"],
		imgSrc: ["'self'"],
		connectSrc: ["'self'"],
		manifestSrc: ["'self'"],
		baseUri: ["'none'"],
		formAction: ["'none'"],
		frameAncestors: ["'none'"],
		requireTrustedTypesFor: ["'script'"],
		trustedTypes: ["'none'"],
	},
	crossOriginEmbedderPolicy: true,
	xFrameOptions: "DENY",
	permissionsPolicy: { camera: [], geolocation: [], microphone: [], payment: [], usb: [] },
	// There is no HTTPS here.
	strictTransportSecurity: false,
});
