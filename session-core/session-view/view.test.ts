import { expect, test } from "vitest";
import { projectOf } from "./view.ts";

test.each([
	["/home/u/code/app", "~/code/app"],
	["/home/u", "~"],
	["/home/user2/app", "/home/user2/app"],
	["/opt/\x1b[31mapp", "/opt/app"],
])("the folder %j reads %s", (cwd, text) => {
	expect(projectOf(cwd, "/home/u")).toBe(text);
});
