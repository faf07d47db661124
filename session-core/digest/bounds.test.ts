import { expect, test } from "vitest";
import { headAndTail } from "./bounds.ts";

test("a text within the bound stays as it is, a longer one keeps its head and its tail at line ends", () => {
	expect(headAndTail("short", 10)).toBe("short");
	const long = Array.from({ length: 100 }, (_, line) => `line ${line}`).join("\n");
	const cut = headAndTail(long, 200);
	expect(cut.length).toBeLessThanOrEqual(210);
	expect(cut.startsWith("line 0\n")).toBe(true);
	expect(cut.endsWith("\nline 99")).toBe(true);
});

test("a private key across the cut leaves nothing of its body behind", () => {
	const body = Array.from({ length: 40 }, (_, line) => `Qk${String(line).padStart(62, "A")}`).join("\n");
	const key = [`-----BEGIN ${"RSA PRIVATE"} KEY-----`, body, `-----END ${"RSA PRIVATE"} KEY-----`].join("\n");
	const cut = headAndTail(`${"before\n".repeat(50)}${key}\n${"after\n".repeat(50)}`, 1_500);
	expect(cut).not.toContain("QkAAAA");
});
