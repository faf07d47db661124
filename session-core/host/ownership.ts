/** The methods of the host's terminal object that show whether the host owns the terminal. */
export interface OwnedTerminal {
	start(onInput: (data: string) => void, onResize: () => void): void;
	stop(): void;
}

export interface OwnershipListener {
	/** Called before pi gives up the terminal because it quits, suspends, or runs an external editor or another extension's program. */
	lost(): void;
	gained(): void;
}

/**
 * Reports when the host gives up the terminal and when it takes the terminal back. The host has no events for this, but always calls
 * `stop()` and `start()` of its terminal object, so both methods are wrapped; the returned function unwraps them. The terminal object is
 * wrapped rather than the TUI, because it remains the same object on all hosts. The TUI does not: pi 0.87.1 creates a new TUI when the user
 * switches to fullscreen and back, and hands out a proxy that cannot be unwrapped. `isOurs`: whether the host owns the terminal now.
 */
export function watchOwnership(
	terminal: OwnedTerminal,
	listener: OwnershipListener,
	isOurs = true,
): () => void {
	const { start, stop } = terminal;
	let watching = true;
	let owned = isOurs;
	const wrappedStop = () => {
		// pi 0.87.1 calls `stop()` twice when it quits in fullscreen mode.
		if (watching && owned) listener.lost();
		owned = false;
		stop.call(terminal);
	};
	const wrappedStart: OwnedTerminal["start"] = (onInput, onResize) => {
		start.call(terminal, onInput, onResize);
		if (watching && !owned) listener.gained();
		owned = true;
	};
	terminal.stop = wrappedStop;
	terminal.start = wrappedStart;
	return () => {
		watching = false;
		// If another wrapper was added around ours, ours stays in place and only passes calls on.
		if (terminal.stop === wrappedStop) terminal.stop = stop;
		if (terminal.start === wrappedStart) terminal.start = start;
	};
}
