import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { put, useTemporaryFolder } from "../../log/session.test-support.ts";
import { brandOf } from "./brand.ts";

const folder = useTemporaryFolder();

test.each([
	["pi", { configDir: ".pi" }, { title: "π", configDir: ".pi" }],
	["a rebranded host", { name: "tau", configDir: ".tau" }, { title: "tau", configDir: ".tau" }],
	["a host without its own folder", { name: "tau" }, { title: "tau", configDir: ".pi" }],
	["a damaged entry", { name: 1, configDir: [] }, { title: "π", configDir: ".pi" }],
	["a program that is no host", undefined, { title: "π", configDir: ".pi" }],
])("the brand of %s comes from its package.json", (_, piConfig, brand) => {
	put(join(folder(), "host/package.json"), JSON.stringify({ name: "host", piConfig }));
	const cli = put(join(folder(), "host/dist/bundle/cli.js"), "");
	put(join(folder(), "host/dist/package.json"), "{ torn");
	mkdirSync(join(folder(), "bin"));
	symlinkSync(cli, join(folder(), "bin/host"));
	expect(brandOf([join(folder(), "none"), join(folder(), "bin/host")])).toEqual(brand);
});
