import { closeSync, existsSync, openSync } from "node:fs";
import { expect, test } from "vitest";
import { deviceOf, ttyName } from "./tty.ts";

test.skipIf(!existsSync("/dev/ptmx"))("a descriptor that is no terminal's has no name", () => {
	const fd = openSync("/dev/null", "r");
	try {
		expect(deviceOf(fd)).toBeUndefined();
		expect(ttyName(999_999)).toBeUndefined();
	} finally {
		closeSync(fd);
	}
});
