import { describe, expect, it } from "vitest";
import { baseName, pathNamer, shortPath } from "./paths.ts";

describe("pathNamer", () => {
	it.each([
		["/home/ann/app", "/home/ann/app/src/a.ts", "src/a.ts"],
		["/home/ann/app/", "./src/a.ts", "src/a.ts"],
		["/home/ann/app", "~/app/src/a.ts", "src/a.ts"],
		["/home/ann/app", "@src/a.ts", "src/a.ts"],
		["/home/ann/app", "/home/ann/notes.md", "~/notes.md"],
		["/home/ann/app", "/home/ann/app-two/a.ts", "~/app-two/a.ts"],
		["C:\\Users\\ann\\app", "C:\\Users\\ann\\app\\src\\a.ts", "src/a.ts"],
		["C:\\Users\\ann\\app\\", "c:/Users/ann/app/src/a.ts", "src/a.ts"],
		["c:\\Users\\ann\\app", ".\\src\\a.ts", "src/a.ts"],
		["C:\\code\\app", "D:\\data\\a.csv", "D:/data/a.csv"],
		["/home/ann/app", "src/lib/", "src/lib"],
		["/home/ann/app", "../other/a.ts", "~/other/a.ts"],
		[undefined, "../../a.ts", "../../a.ts"],
		["/home/ann/app", "https://a.dev/x/../y", "https://a.dev/x/../y"],
	])("in %s, %s is %s", (cwd, path, name) => expect(pathNamer(cwd)(path)).toBe(name));
});

it("distinguishes paths by their last parts", () => {
	expect(baseName("src/core/a.ts")).toBe("a.ts");
	expect(baseName("a.ts")).toBe("a.ts");
	expect(shortPath("src/core/a.ts")).toBe("core/a.ts");
	expect(shortPath("src\\core\\a.ts")).toBe("core/a.ts");
});
