import { homedir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hostIn } from "./place.mjs";

const HERE = "/usr/lib/node_modules/pi-session-suite/bin/place.mjs";
const TAU = { program: "tau", prefix: "TAU", configDir: ".t", agentDir: join(homedir(), ".t/agent") };

test.each([
	["nothing", {}, HERE, { program: "pi", configDir: ".pi", agentDir: join(homedir(), ".pi/agent") }],
	["pi's variable", { PI_CODING_AGENT_DIR: "/a" }, HERE, { program: "pi", configDir: ".pi", agentDir: "/a" }],
	["a rebranded host's variable", { TAU_CODING_AGENT_DIR: "~/.t/agent" }, HERE, TAU],
	["both variables", { TAU_CODING_AGENT_DIR: "/t", PI_CODING_AGENT_DIR: "/a" }, HERE, { agentDir: "/a" }],
	["an empty variable", { TAU_CODING_AGENT_DIR: "" }, HERE, { program: "pi" }],
	[
		"a rebranded host's own packages",
		{},
		"/home/u/.tau/agent/npm/node_modules/pi-session-suite/bin/place.mjs",
		{ program: "tau", prefix: "TAU", configDir: ".tau", agentDir: "/home/u/.tau/agent" },
	],
])("the host is found by %s", (_, env, here, host) => {
	expect(hostIn(env, here)).toMatchObject(host);
});
