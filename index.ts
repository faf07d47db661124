import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";
import { createHub } from "./session-core/hub/hub.ts";
import { recall } from "./session-recall/index.ts";
import { recap } from "./session-recap/index.ts";
import { registerResume } from "./session-resume/index.ts";
import { title } from "./session-title/index.ts";

/** The package: four extensions that share one hub. Each of them can also be loaded alone. */
export default function sessionSuite(pi: ExtensionAPI): void {
	const hub = createHub(pi);
	for (const extension of [registerResume, recap, title, recall]) extension(pi, hub);
}
