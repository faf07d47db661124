import { expect, test } from "vitest";
import { pageFiles } from "./server.ts";

test("the page is small, has nothing inline and loads nothing from elsewhere", () => {
	const files = pageFiles();
	const bytes = [...files.values()].reduce((sum, file) => sum + file.bytes.length, 0);
	expect(bytes).toBeLessThanOrEqual(48 * 1024);
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
