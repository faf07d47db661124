import { describe, expect, it } from "vitest";
import { ASK, digestOf, EDIT, type Happening } from "./log.test-support.ts";

describe("what only looked", () => {
	it.each<[string, Happening, boolean]>([
		["reading", { tool: "read", args: { path: "a.ts" } }, true],
		["searching with the shell", { bash: "cd src && grep -rn foo . | head -5" }, true],
		["asking git", { bash: "git -C app log --oneline -3 2>/dev/null" }, true],
		["a check", { bash: "npm test" }, true],
		["a program that only counts", { bash: "python3 -c 'print(len(open(\"a.csv\").read()))'" }, true],
		["a refused edit", { ...EDIT, fails: true }, true],
		["an edit", EDIT, false],
		["an archive", { bash: "tar czf data.tar.gz data" }, false],
		["a redirection", { bash: "grep -n foo a.ts > found.txt" }, false],
		["find that deletes", { bash: "find . -name '*.log' -delete" }, false],
		["a program that writes", { bash: 'python3 -c \'open("a.txt", "w").write("x")\'' }, false],
		["git that records", { bash: "git add -A && git commit -m x" }, false],
		["a check that is followed by a deed", { bash: "npm test; rm -rf data" }, false],
		["a builder that also deploys", { bash: "make test deploy" }, false],
		["a substitution", { bash: 'echo "$(kubectl delete pod x)"' }, false],
		["a download", { bash: "curl -fsSLO https://example.com/a.zip" }, false],
		["a deletion by curl", { bash: "curl -sX DELETE https://example.com/a" }, false],
		["a remote that is added", { bash: "git remote add up https://example.com/a" }, false],
		["an editor in place", { bash: "yq -i .a=1 a.yaml" }, false],
		["a program with options", { bash: "python deploy.py -e staging" }, false],
		["a program that deletes", { bash: "node -e 'fs.rmSync(\"a\")'" }, false],
		["a tool that replaces", { tool: "search_replace", args: { path: "a.ts" } }, false],
		["a program of a name that every object has", { bash: "toString test" }, false],
		["a post", { bash: "curl -s -X POST https://example.com/a" }, false],
		["a tool that sends", { tool: "telegram_send_file", args: { path: "a.zip" } }, false],
		["a tool that nobody knows", { tool: "frobnicate", args: {} }, false],
	])("%s", (_, happening, onlyLooked) => {
		expect(digestOf([ASK, happening]).onlyLooked).toBe(onlyLooked);
	});
});
