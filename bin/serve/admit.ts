import { getConnInfo } from "@hono/node-server/conninfo";
import { type Access, accessOf } from "./access.ts";
import { refuse, type ServeContext } from "./context.ts";
import { obstacleTo } from "./guard.ts";
import { tooOften } from "./problems.ts";
import { type RateLimit, RateLimiter } from "./rate.ts";
import type { Tokens } from "./tokens.ts";

/** How often one address may look, act, or be refused. */
export interface RateLimits {
	read: RateLimit;
	act: RateLimit;
	refused: RateLimit;
}

export interface AdmitDeps {
	tokens: Tokens;
	/** Names other than loopback that the server is reached by. */
	hosts: ReadonlySet<string>;
	rates: RateLimits;
	now(): number;
}

/** Lets a request in, or answers it. `needs`: what it takes; undefined: nothing, for the page's own files. */
export type Admit = (context: ServeContext, needs: Access | undefined) => Response | undefined;

export function createAdmit({ tokens, hosts, rates, now }: AdmitDeps): Admit {
	const limiters = {
		read: new RateLimiter(rates.read),
		act: new RateLimiter(rates.act),
		refused: new RateLimiter(rates.refused),
	};
	return (context, needs) => {
		const header = (name: string) => context.req.header(name);
		const from = { host: header("host"), origin: header("origin"), site: header("sec-fetch-site") };
		const { address } = getConnInfo(context).remote;
		const access = accessOf(header("authorization"), tokens);
		const problem = obstacleTo({ from, address, access, needs }, hosts);
		const limiter = problem ? limiters.refused : limiters[needs ?? "read"];
		const wait = limiter.wait(address ?? "", now());
		if (wait > 0) return refuse(context, tooOften(wait));
		if (problem) return refuse(context, problem);
		context.set("access", access ?? "read");
		return undefined;
	};
}
