import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { PROJECT_ROOT } from "./host/launch.ts";

const manifest = JSON.parse(readFileSync(join(PROJECT_ROOT, "package.json"), "utf8"));

describe("the package", () => {
	test("lists extensions that exist, and host packages only as optional peers of any version", () => {
		for (const path of manifest.pi.extensions) expect(existsSync(join(PROJECT_ROOT, path))).toBe(true);
		for (const [name, range] of Object.entries(manifest.peerDependencies)) {
			expect([name, range]).toEqual([name, "*"]);
			expect(manifest.peerDependenciesMeta[name]).toEqual({ optional: true });
		}
		// pi 1.x warns at every start of a package that has one of its own packages, TypeBox included, in `dependencies`.
		expect(Object.keys(manifest.dependencies)).not.toContainEqual(expect.stringMatching(/^typebox$|\/pi-/));
		expect(manifest.keywords).toContain("pi-package");
	});

	test("the lock file names no registry host", () => {
		expect(readFileSync(join(PROJECT_ROOT, "package-lock.json"), "utf8")).not.toMatch(/"resolved": "https?:/);
	});
});
