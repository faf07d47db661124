import { chmodSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { useTemporaryFolder } from "../../session-core/store/store.test-support.ts";
import { accessOf } from "./access.ts";
import { openTokens, tokenFile } from "./tokens.ts";

const folder = useTemporaryFolder();

function open(renew = false) {
	const opened = openTokens(folder(), renew);
	if (!opened.ok) throw new Error(opened.detail);
	return opened;
}

test("tokens are made once, are its owner's alone to read, and stay until new ones are asked for", () => {
	const first = open();
	expect(lstatSync(tokenFile(folder())).mode & 0o777).toBe(0o600);
	expect([first.isNew, open().tokens]).toEqual([true, first.tokens]);
	const renewed = open(true).tokens;
	expect([renewed.act === first.tokens.act, renewed.read === first.tokens.read]).toEqual([false, false]);
	expect(accessOf(`Bearer ${first.tokens.act}`, renewed)).toBeUndefined();
});

test("tokens that others could have read, or that are damaged, are replaced", () => {
	const { tokens } = open();
	chmodSync(tokenFile(folder()), 0o644);
	expect(open().tokens).not.toEqual(tokens);
	expect(lstatSync(tokenFile(folder())).mode & 0o777).toBe(0o600);
	for (const text of ["", "{", "[]", '{"act":"","read":""}', '{"act":"a","read":1}']) {
		writeFileSync(tokenFile(folder()), text);
		expect(open().isNew).toBe(true);
	}
});

test("a link in the file's place is not followed", () => {
	const target = join(folder(), "target.json");
	const tokens = { act: "a".repeat(43), read: "b".repeat(43) };
	writeFileSync(target, JSON.stringify(tokens), { mode: 0o600 });
	mkdirSync(dirname(tokenFile(folder())), { recursive: true });
	symlinkSync(target, tokenFile(folder()));
	expect(open().tokens).not.toEqual(tokens);
	expect(JSON.parse(readFileSync(target, "utf8"))).toEqual(tokens);
});

test("a header gives what its token allows", () => {
	const { tokens } = open();
	expect(accessOf(`Bearer ${tokens.act}`, tokens)).toBe("act");
	expect(accessOf(`bearer ${tokens.read}`, tokens)).toBe("read");
	for (const wrong of [
		undefined,
		"",
		tokens.act,
		`Bearer ${tokens.act}x`,
		`Bearer  ${tokens.act}`,
		"Bearer ",
	])
		expect(accessOf(wrong, tokens)).toBeUndefined();
});
