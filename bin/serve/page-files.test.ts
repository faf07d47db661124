import { expect, test } from "vitest";
import { readPage } from "./page-files.ts";

test("the page is small, and nothing in it stands inline or comes from elsewhere", () => {
	const files = readPage();
	const bytes = [...files.values()].reduce((sum, file) => sum + file.bytes.length, 0);
	expect(bytes).toBeLessThanOrEqual(40 * 1024);
	const html = files.get("/")?.bytes.toString() ?? "";
	expect(html).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?![^>]*\bsrc="\/)/);
	for (const [path, { bytes: content }] of files) {
		const text = content.toString().replaceAll("http://www.w3.org/2000/svg", "");
		expect([
			path,
			/https?:|innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(/.test(text),
		]).toEqual([path, false]);
	}
});
