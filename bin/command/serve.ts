import { command, flag, option } from "../shell/command.ts";

export const SERVE = command({
	name: "serve",
	description:
		"Serve sessions over HTTP, with a page: on this machine alone, for whoever has the token. Until Ctrl+C.",
	args: {
		port: option("Default 7878; 0 is any free one", "number"),
		lan: flag("For the local network too, read-only"),
		"new-token": flag("Make new tokens: who has the old ones is locked out"),
	},
	run: async (args, world) => (await import("../shell/run-server.ts")).runServer(args, world),
});
