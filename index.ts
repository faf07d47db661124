import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";
import { registerExtensions } from "./session-core/pi/hub.ts";
import { registerRecall } from "./session-recall/index.ts";
import { registerRecap } from "./session-recap/index.ts";
import { registerResume } from "./session-resume/index.ts";
import { registerTitle } from "./session-title/index.ts";

export default function sessionSuite(pi: ExtensionAPI): void {
	registerExtensions(pi, import.meta.url, {
		"session-resume": registerResume,
		"session-recap": registerRecap,
		"session-title": registerTitle,
		"session-recall": registerRecall,
	});
}
