import { command } from "../shell/command.ts";

/** Help only: what runs is plain JavaScript (`status.mjs`), because a prompt waits for it. */
export const STATUS = command({
	name: "status",
	description:
		"One line for a prompt or a status bar: how many live sessions need you, failed, or work. Empty if none.",
	args: {
		format: { type: "enum", options: ["plain", "tmux", "json"], description: "What reads it. Default plain" },
	},
	run: async ({ format = "plain" }, { env, out, err }) => {
		const { status } = await import("../status.mjs");
		return status(["--format", format], { env, stdout: out, stderr: err });
	},
});
