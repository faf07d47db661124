import { expect, test } from "vitest";
import { isKnownHost, isLoopback, pageFiles } from "./server.ts";

const HOSTS = new Set(["127.0.0.1", "localhost", "[::1]", "192.168.1.7"]);

test.each([
	["127.0.0.1:7878", true],
	["LOCALHOST:9000", true],
	["[::1]:7878", true],
	["192.168.1.7:7878", true],
	["192.168.1.8:7878", false],
	["127.0.0.1.nip.io", false],
	["localhost.evil.example", false],
	["127.0.0.1:7878:80", false],
	["127.0.0.1/evil", false],
	["", false],
	[undefined, false],
])("the host %s is known: %s", (host, isKnown) => {
	expect(isKnownHost(host, HOSTS)).toBe(isKnown);
});

test.each([
	["127.9.9.9", true],
	["::1", true],
	["::ffff:127.0.0.1", true],
	["::ffff:192.168.1.7", false],
	["1127.0.0.1", false],
	[undefined, false],
])("the address %s is this machine: %s", (address, isLocal) => {
	expect(isLoopback(address)).toBe(isLocal);
});

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
