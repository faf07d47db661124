import { expect, test } from "vitest";
import { bannerLines } from "./banner.ts";

const facts = {
	port: 7878,
	addresses: [],
	tokens: { act: "ACT", read: "READ" },
	tokenFile: "/agent/session-suite/serve-tokens.json",
	isNew: false,
	isTerminal: true,
};

test("says where it is and what it exposes", () => {
	const text = bannerLines(facts).join("\n");
	expect(text).toContain("http://127.0.0.1:7878/#token=ACT");
	expect(text).toMatch(/shows titles, first prompts, recaps and folders/);
	expect(text).not.toMatch(/WARNING|█/);
});

test("on a local network it warns, and gives away the read-only token alone: as an address and as a QR code", () => {
	const lines = bannerLines({ ...facts, addresses: ["192.168.1.7"] });
	const text = lines.join("\n");
	expect(text).toMatch(/WARNING: everybody in this network/);
	expect(text).toContain("http://192.168.1.7:7878/#token=READ");
	expect(text).not.toContain("192.168.1.7:7878/#token=ACT");
	expect(text).toContain("█");
	expect(bannerLines({ ...facts, addresses: ["192.168.1.7"], isTerminal: false }).join("\n")).not.toContain(
		"█",
	);
});
