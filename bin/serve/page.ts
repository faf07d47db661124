import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Hono } from "hono";
import { etag } from "hono/etag";
import { chooseLanguage } from "../../session-core/words/choose.ts";
import { LANGUAGES, type LanguageCode } from "../../session-core/words/languages.ts";
import { loadWords } from "../../session-core/words/load.ts";
import { loadPageWords } from "../../session-core/words/page/load-page-words.ts";
import type { ServeContext, ServeEnv } from "./answer.ts";

export interface PageDeps {
	/** Returns the user's `language` setting. */
	language(): Promise<LanguageCode | undefined>;
}

const TYPES: Readonly<Record<string, string>> = {
	".html": "text/html; charset=utf-8",
	".css": "text/css; charset=utf-8",
	".js": "text/javascript; charset=utf-8",
	".svg": "image/svg+xml",
};

const FOLDER = fileURLToPath(new URL("../page", import.meta.url));

/** Reads the page's files into memory, keyed by their addresses, so that no path is ever built from a request. */
export function readPage(): Map<string, { bytes: Uint8Array<ArrayBuffer>; type: string }> {
	const files = readdirSync(FOLDER).flatMap((name) => {
		const type = TYPES[extname(name)];
		const address = name === "index.html" ? "/" : `/${name}`;
		return type === undefined
			? []
			: [[address, { bytes: new Uint8Array(readFileSync(join(FOLDER, name))), type }] as const];
	});
	return new Map(files);
}

export function addPage(app: Hono<ServeEnv>, { language }: PageDeps): void {
	const send = (context: ServeContext, bytes: string | Uint8Array<ArrayBuffer>, type = "") => {
		context.header("Cache-Control", "no-cache");
		return context.body(bytes, 200, { "Content-Type": type });
	};
	for (const [address, { bytes, type }] of readPage())
		app.get(address, etag(), (context) => send(context, bytes, type));
	app.get("/words.js", etag(), async (context) => {
		context.header("Vary", "Accept-Language");
		const code = pageLanguage(await language(), context.req.header("accept-language"));
		return send(context, await pageWordsModule(code), TYPES[".js"]);
	});
}

/**
 * Returns the page's strings as a JavaScript module, including those that it shares with the terminal (states, ages). Placeholders have
 * the form `{name}`.
 */
export async function pageWordsModule(code: LanguageCode): Promise<string> {
	const [own, { live, age, board, recap }] = await Promise.all([loadPageWords(code), loadWords(code)]);
	// The wording of a short age does not depend on the number, so the template can be derived from any number.
	const template = (form: (count: number) => string) => form(0).replace("0", "{n}");
	const { needs_you, failed, working, idle } = live;
	const { now, minutes, hours, days, weeks } = age.short;
	const words = {
		...own,
		lang: code,
		you: board.you,
		states: { needs_you, failed, working, idle, closed: own.closed },
		kinds: { cut_short: recap.cutShort },
		since: live.since("{state}", "{age}"),
		ages: {
			now,
			minutes: template(minutes),
			hours: template(hours),
			days: template(days),
			weeks: template(weeks),
		},
	};
	return `export const WORDS = ${JSON.stringify(words)};\n`;
}

/** Returns the language that the user has set; failing that, the browser's first supported language; failing that, English. */
export function pageLanguage(
	setting: LanguageCode | undefined,
	acceptLanguage: string | undefined,
): LanguageCode {
	const wanted = (acceptLanguage ?? "").split(",").map((part) => part.trim().slice(0, 2).toLowerCase());
	const accepted = wanted.find((code) => LANGUAGES.some((known) => known === code));
	return chooseLanguage({ setting, own: undefined, env: { LANG: accepted } });
}
