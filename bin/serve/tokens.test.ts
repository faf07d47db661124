import { chmodSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { useTemporaryFolder } from "../../session-core/session-file/session.test-support.ts";
import { newTokens, tokenFileOf, writeTokens } from "./tokens.ts";

const folder = useTemporaryFolder();
const path = () => tokenFileOf(folder());
const stored = () => JSON.parse(readFileSync(path(), "utf8"));

test("each start has tokens of its own, and the file that holds the last ones is readable by its owner only", () => {
	const [first, second] = [newTokens(), newTokens()];
	expect(new Set([first.act, first.read, second.act, second.read]).size).toBe(4);
	expect(writeTokens(folder(), first)).toBeUndefined();
	chmodSync(path(), 0o644);
	expect(writeTokens(folder(), second)).toBeUndefined();
	expect(stored()).toEqual(second);
	expect(lstatSync(path()).mode & 0o777).toBe(0o600);
});

test("a symlink is replaced and not followed", () => {
	const target = join(folder(), "target.json");
	writeFileSync(target, "{}");
	mkdirSync(dirname(path()), { recursive: true });
	symlinkSync(target, path());
	const tokens = newTokens();
	expect(writeTokens(folder(), tokens)).toBeUndefined();
	expect([readFileSync(target, "utf8"), stored()]).toEqual(["{}", tokens]);
});
