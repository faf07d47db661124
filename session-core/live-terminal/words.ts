/** What is said about going to a live session's terminal. */
export const WORDS = {
	went: (where: string) => `Went to ${where}.`,
	inFront: (session: string) => `In front now in tmux session ${session}, in another terminal.`,
	detached: (session: string, command: string) =>
		`It is in tmux session ${session}, which no terminal shows: ${command}`,
	nested: (session: string, command: string) =>
		`It is in tmux session ${session} of another tmux, which no terminal shows. In a terminal outside of this tmux: ${command}`,
	tmuxPane: "its tmux pane",
	kittyWindow: "its kitty window",
	weztermPane: "its WezTerm pane",
	process: (pid: number) => `pid ${pid}`,
	onHost: (host: string) => `on ${host}`,
	inFolder: (folder: string) => `in ${folder}`,
	openIn: (facts: string) => `It is open in ${facts}.`,
	kittyIsOff: "pi can go there when kitty.conf has allow_remote_control and listen_on.",
} as const;
