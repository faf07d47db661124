import { expect, test } from "vitest";
import { LANGUAGES } from "../../session-core/words/languages.ts";
import { pageLanguage, pageWordsModule, readPage } from "./page.ts";

test("the browser's language decides, unless the user has set one", async () => {
	expect(pageLanguage(undefined, "xx,de-AT;q=0.9,en;q=0.8")).toBe("de");
	expect(pageLanguage("ja", "de")).toBe("ja");
	expect([pageLanguage(undefined, "xx"), pageLanguage(undefined, undefined)]).toEqual(["en", "en"]);
	const module = await pageWordsModule("de");
	expect(JSON.parse(module.replace(/^export const WORDS = |;\n$/g, ""))).toMatchObject({
		lang: "de",
		since: "{state} seit {age}",
		ages: { minutes: "{n} Min" },
	});
});

test("the page is small in every language, has nothing inline and loads nothing from elsewhere", async () => {
	const files = readPage();
	const bytes = [...files.values()].reduce((sum, file) => sum + file.bytes.length, 0);
	for (const code of LANGUAGES) {
		const words = Buffer.byteLength(await pageWordsModule(code));
		expect([code, bytes + words <= 48 * 1024]).toEqual([code, true]);
	}
	const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();
	const html = files.get("/")?.bytes ?? new Uint8Array();
	expect(text(html)).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?![^>]*\bsrc="\/)/);
	for (const [path, { bytes: content }] of files) {
		const own = text(content).replaceAll("http://www.w3.org/2000/svg", "");
		expect([path, /https?:|innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(/.test(own)]).toEqual(
			[path, false],
		);
	}
});
