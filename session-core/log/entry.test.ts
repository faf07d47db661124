import { expect, it } from "vitest";
import { contentText } from "./entry.ts";

it("joins thousands of blocks, and two blocks between which a secret is split", () => {
	const blocks = Array.from({ length: 60_000 }, (_, index) => ({ type: "text", text: `t${index}` }));
	expect(contentText(blocks)).toBe(blocks.map(({ text }) => text).join("\n"));
	const halves = ["Use ghp_Ab3dEf6hIj", "9lMn2pQr5tUv8xYz1BcD4eFg7H now"].map((text) => ({
		type: "text",
		text,
	}));
	expect(contentText([{ type: "text", text: "one" }, ...halves])).toBe(
		"one\nUse ghp_Ab3dEf6hIj9lMn2pQr5tUv8xYz1BcD4eFg7H now",
	);
});

it("joins the blocks of a growing message again", () => {
	const blocks = Array.from({ length: 60 }, (_, index) => ({ type: "text", text: `t${index}` }));
	expect(contentText(blocks)).toMatch(/\nt59$/);
	const last = blocks.at(-1);
	if (last) last.text += " and more";
	expect(contentText(blocks)).toMatch(/\nt59 and more$/);
	blocks.push({ type: "text", text: "end" });
	expect(contentText(blocks)).toMatch(/ and more\nend$/);
});
