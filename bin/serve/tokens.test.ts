import { chmodSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { useTemporaryFolder } from "../../session-core/session-file/session.test-support.ts";
import { TokenFile } from "./tokens.ts";

const folder = useTemporaryFolder();
const path = () => new TokenFile(folder()).path;

function open(renew = false) {
	const opened = new TokenFile(folder()).open(renew);
	if (!opened.ok) throw new Error(opened.detail);
	return opened;
}

test("tokens are created once, are readable by their owner only, and stay until they are renewed", () => {
	const first = open();
	expect(lstatSync(path()).mode & 0o777).toBe(0o600);
	expect([first.isNew, open().tokens]).toEqual([true, first.tokens]);
	const renewed = open(true).tokens;
	expect([renewed.act === first.tokens.act, renewed.read === first.tokens.read]).toEqual([false, false]);
});

test("damaged tokens, and tokens that others could have read, are replaced", () => {
	const { tokens } = open();
	chmodSync(path(), 0o644);
	expect(open().tokens).not.toEqual(tokens);
	expect(lstatSync(path()).mode & 0o777).toBe(0o600);
	for (const text of ["", "{", "[]", '{"act":"","read":""}', '{"act":"a","read":1}']) {
		writeFileSync(path(), text);
		expect(open().isNew).toBe(true);
	}
});

test("a symlink is not followed", () => {
	const target = join(folder(), "target.json");
	const tokens = { act: "a".repeat(43), read: "b".repeat(43) };
	writeFileSync(target, JSON.stringify(tokens), { mode: 0o600 });
	mkdirSync(dirname(path()), { recursive: true });
	symlinkSync(target, path());
	expect(open().tokens).not.toEqual(tokens);
	expect(JSON.parse(readFileSync(target, "utf8"))).toEqual(tokens);
});

test("a reader follows the file and reports replaced tokens", () => {
	let replaced = 0;
	const file = new TokenFile(folder(), () => replaced++);
	expect(file.current()).toBeUndefined();
	const { tokens } = open();
	expect([file.current(), replaced]).toEqual([tokens, 0]);
	const renewed = open(true).tokens;
	expect([file.current(), replaced]).toEqual([renewed, 1]);
	writeFileSync(path(), "damaged");
	expect([file.current(), replaced]).toEqual([undefined, 2]);
});
