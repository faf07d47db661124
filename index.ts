import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";
import { registerExtensions } from "./session-core/pi/hub.ts";
import { recall } from "./session-recall/index.ts";
import { recap } from "./session-recap/index.ts";
import { registerResume } from "./session-resume/index.ts";
import { title } from "./session-title/index.ts";

export default function sessionSuite(pi: ExtensionAPI): void {
	registerExtensions(pi, import.meta.url, {
		"session-resume": registerResume,
		"session-recap": recap,
		"session-title": title,
		"session-recall": recall,
	});
}
