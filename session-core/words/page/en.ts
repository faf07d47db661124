/**
 * The strings of the web page. They are separate from the others because pi does not load them. They are sent to the browser as JSON, so
 * values are placeholders (`{name}`), and the number is put where no language inflects the word.
 */
export const ENGLISH_PAGE = {
	filter: "Filter",
	show: "Show",
	all: "All",
	jobs: "Jobs",
	sessions: "Sessions",
	chipNeeds: "Need you",
	chipFailed: "Failed",
	chipWorking: "Working",
	closed: "closed",
	live: "{n} sessions · connected",
	loading: "Loading …",
	stale: "Not connected since {time}; showing the last known state",
	none: "No sessions yet. Start pi, and they appear here.",
	nothing: "No sessions match.",
	above: "↑ Need you: {n}",
	pick: "Select a session to see its recap.",
	back: "Back",
	happened: "What happened",
	next: "Next",
	parts: "Artifacts",
	first: "First prompt",
	noRecap: "There is no prompt in this session yet.",
	copy: "Copy the resume command",
	copied: "Copied. Paste it in a terminal.",
	notCopied: "Your browser does not allow this page to copy; the command is selected.",
	open: "Open in tmux",
	goThere: "Go to its terminal",
	opened: "Opened in a new tmux window.",
	edited: "in your own words",
	written: "Recap written: {age}",
	made: "Generated now, not saved",
	damaged: "pi cannot read the file of this session; /sessions in pi offers a repaired copy.",
	searchAll: "Search all messages for “{query}”",
	searching: "Searching …",
	noHits: "No messages match.",
	unreachable: "The server is unreachable. Run pi-sessions serve again.",
	run: "Resume the job",
	started: "The job is running. Its output is in {log}.",
	doorTitle: "This page needs a token",
	doorText:
		"Run pi-sessions serve and open the address that it prints, or paste the token of that address here.",
	doorWrong:
		"This token is no longer valid. Open the address printed by pi-sessions serve, or paste its token here.",
	token: "Token",
	go: "Show my sessions",
};

export type PageWords = typeof ENGLISH_PAGE;
