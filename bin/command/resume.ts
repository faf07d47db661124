import { command, flag, option, SESSION_ARGUMENT, sessionWords } from "../shell/command.ts";

export const RESUME = command({
	name: "resume",
	description:
		"Go on with a session: runs pi in the session's own folder. A headless run is resumed as a new one.",
	args: {
		...SESSION_ARGUMENT,
		continue: flag("The newest session of this project"),
		at: option("Go on from this entry, in a new session", "entry"),
		branch: flag("Go on in a fork; the session stays as it is"),
		send: flag("Send the next step at once; otherwise it waits in the editor"),
		message: option("Send this instead of the next step", "text"),
		repair: flag("Of a damaged session, open a repaired copy"),
		anyway: flag("Also where another pi has it open"),
		"dry-run": flag("Print the command instead of running it; writes nothing"),
	},
	run: async (args, world) => (await import("../resume/resume.ts")).resume(sessionWords(args), args, world),
});
