/** The part of the host's terminal object that shows who owns the terminal. */
export interface OwnedTerminal {
	start(onInput: (data: string) => void, onResize: () => void): void;
	stop(): void;
}

export interface OwnershipListener {
	/** pi is about to give up the terminal: quit, suspend, external editor, another extension's program. */
	lost(): void;
	gained(): void;
}

/**
 * Watches the host give up the terminal and take it back. The host has no event for that, but it always calls its terminal's `stop()` and
 * `start()`, so those two are wrapped on this one object; the returned function unwraps them. It wraps the terminal and not the TUI,
 * because 0.87.1 makes a new TUI when the user switches to fullscreen and back, hands out a proxy of it on which nothing can be
 * unwrapped, and gives `stop()` an argument. The terminal is one object in all hosts.
 */
export function watchOwnership(terminal: OwnedTerminal, listener: OwnershipListener): () => void {
	const { start, stop } = terminal;
	let watching = true;
	let isOurs = true;
	const wrappedStop = () => {
		// When it quits, 0.87.1 stops a fullscreen terminal twice.
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
		// If another wrapper was added around ours, ours remains in the chain and only passes calls on.
		if (terminal.stop === wrappedStop) terminal.stop = stop;
		if (terminal.start === wrappedStart) terminal.start = start;
	};
}
