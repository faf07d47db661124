/** The part of the host's terminal object that says who owns the terminal. */
export interface OwnedTerminal {
	start(onInput: (data: string) => void, onResize: () => void): void;
	stop(): void;
}

export interface OwnershipListener {
	/** Pi is about to give the terminal away: quit, suspend, external editor, another extension's program. */
	lost(): void;
	gained(): void;
}

/**
 * Watch the host give the terminal away and take it back. It has no event for that, but every way of doing it goes through
 * its terminal's `stop()` and `start()`, so those two are wrapped on this one object; the returned function unwraps them.
 * The terminal and not the TUI: 0.87.1 makes a new TUI when the user switches to fullscreen and back, hands out a proxy of
 * it on which nothing can be unwrapped, and gives `stop()` an argument; the terminal is one object and the same in all hosts.
 */
export function watchOwnership(terminal: OwnedTerminal, listener: OwnershipListener): () => void {
	const { start, stop } = terminal;
	let watching = true;
	let isOurs = true;
	const wrappedStop = () => {
		// At its end 0.87.1 stops a fullscreen terminal twice.
		if (watching && isOurs) listener.lost();
		isOurs = false;
		stop.call(terminal);
	};
	const wrappedStart: OwnedTerminal["start"] = (onInput, onResize) => {
		start.call(terminal, onInput, onResize);
		if (watching && !isOurs) listener.gained();
		isOurs = true;
	};
	terminal.stop = wrappedStop;
	terminal.start = wrappedStart;
	return () => {
		watching = false;
		// Somebody may have wrapped ours in turn; then it stays in the chain and only passes calls on.
		if (terminal.stop === wrappedStop) terminal.stop = stop;
		if (terminal.start === wrappedStart) terminal.start = start;
	};
}
