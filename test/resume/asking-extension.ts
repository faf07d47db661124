import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";

/** Another extension that asks the user for permission before a command runs. */
export default function asking(pi: ExtensionAPI): void {
	pi.on("tool_call", async (_event, ctx) => {
		const isAllowed = await ctx.ui.confirm("Permission", "Run this command?");
		return isAllowed ? undefined : { block: true, reason: "not allowed" };
	});
}
