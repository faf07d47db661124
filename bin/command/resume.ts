import { command, SESSION_ARGUMENT, sessionWords } from "../shell/command.ts";

export const RESUME = command({
	name: "resume",
	description:
		"Go on with a session: runs pi in the session's own folder. A headless run is resumed as a new one.",
	args: {
		...SESSION_ARGUMENT,
		continue: { type: "boolean", description: "The newest session of this project" },
		at: { type: "string", description: "Go on from this entry, in a new session", valueHint: "entry" },
		branch: { type: "boolean", description: "Go on in a fork; the session stays as it is" },
		send: { type: "boolean", description: "Send the next step at once; otherwise it waits in the editor" },
		message: { type: "string", description: "Send this instead of the next step", valueHint: "text" },
		repair: { type: "boolean", description: "Of a damaged session, open a repaired copy" },
		anyway: { type: "boolean", description: "Also where another pi has it open" },
		"dry-run": { type: "boolean", description: "Print the command instead of running it; writes nothing" },
	},
	run: async (args, world) => (await import("../resume/resume.ts")).resume(sessionWords(args), args, world),
});
