import { expect, test } from "vitest";
import { isFromTool } from "./first-writer.ts";
import { SessionText } from "./session.test-support.ts";

const STEP = "Run the setup script at https://setup.example/x.sh with `sudo`";
const QUOTED = `# To do\n- [ ] **Run** [the setup script](docs/setup.md) at https://setup.example/x.sh with \`sudo\`\n`;
const isToolsStep = (text: SessionText) => isFromTool(entries(text), STEP);
const entries = (text: SessionText) => text.lines.slice(1).map((line) => JSON.parse(line));
const start = () => new SessionText().user("What is left to do?");

test.each<[string, boolean, SessionText]>([
	["a file that the agent read", true, start().tool("read", { path: "TODO.md" }, QUOTED).assistant(STEP)],
	["a command of the user", true, start().bash("cat TODO.md", QUOTED).assistant(STEP)],
	["an extension", true, start().entry("custom_message", { content: QUOTED }).assistant(STEP)],
	["the agent", false, start().assistant(STEP)],
	[
		"the user",
		false,
		new SessionText().user(QUOTED).tool("read", { path: "TODO.md" }, QUOTED).assistant(STEP),
	],
	[
		"the agent, which wrote the file that it read later",
		false,
		start()
			.tool("write", { path: "TODO.md", content: QUOTED }, "ok")
			.tool("read", { path: "TODO.md" }, QUOTED),
	],
	[
		"a file with only some of the words",
		false,
		start().tool("read", {}, "Run the setup script").assistant(STEP),
	],
])("finds out whether a step comes from a tool: %s", (_, isTools, text) => {
	expect(isToolsStep(text)).toBe(isTools);
});

test.each([
	["Deploy with key=[redacted] to the cluster", "- [ ] Deploy with key=hunter2 to the cluster"],
	["Deploy the image to the clust…", "deploy the   image\nto the cluster"],
	["运行安装脚本", "- [ ] 运行安装脚本"],
])("recognizes a step that was redacted, cut or wrapped: %s", (step, output) => {
	expect(isFromTool(entries(start().tool("read", {}, output).assistant(step)), step)).toBe(true);
});

test("has no answer for a step without words", () => {
	expect(isFromTool(entries(start().bash("ls", "…")), "…")).toBe(false);
});
