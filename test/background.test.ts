import { expect, test } from "vitest";
import { logged, logOf, say, testHost, useTool, WITH_LOG } from "./host/index.ts";
import { TASK, titled } from "./title/title-host.ts";

test("pi survives an exception in a promise and in a timer of the suite, and each is reported once", async () => {
	const host = await testHost({
		extensions: ["session-title", "session-recap", "test/support/faulty-widgets.ts"],
		args: ["--recap-idle-seconds", "1"],
		env: WITH_LOG,
		script: (model) => model.queue("title", titled("Login redirect after token expiry")),
	});
	await host.attached();
	const ended = say("The login page redirects because the token expires. Shall I fix it?");
	host.model.queue("agent", useTool("bash", { command: "echo built" }), ended);
	await host.submit(TASK, /rename: an unexpected error occurred \(TypeError in faulty-widgets\.ts/);
	await host.screen.waitFor(/recap: an unexpected error occurred \(TypeError in faulty-widgets\.ts/);
	await logged(host, /suite\.failed name="recap" error="TypeError"/);
	host.model.queue("agent", say("Still here."));
	await host.submit("are you still there?", /Still here\./);
	expect(logOf(host).filter((line) => line.includes('suite.failed name="rename"'))).toHaveLength(1);
});
