/** The part of the host's TUI that says who owns the terminal. */
export interface TerminalOwner {
	start(): void;
	stop(): void;
	terminal: { write(data: string): void };
}

export interface OwnershipListener {
	/** Pi is about to give the terminal away: quit, suspend, external editor, another extension's program. */
	lost(): void;
	gained(): void;
}

/**
 * Watch the host give the terminal away and take it back. It has no event for that, but every way of doing it goes
 * through `stop()` and `start()`, so those two are wrapped on this one object; the returned function unwraps them.
 */
export function watchOwnership(owner: TerminalOwner, listener: OwnershipListener): () => void {
	const { start, stop } = owner;
	let watching = true;
	const wrappedStop = () => {
		if (watching) listener.lost();
		stop.call(owner);
	};
	const wrappedStart = () => {
		start.call(owner);
		if (watching) listener.gained();
	};
	owner.stop = wrappedStop;
	owner.start = wrappedStart;
	return () => {
		watching = false;
		// Somebody may have wrapped ours in turn; then it stays in the chain and only passes calls on.
		if (owner.stop === wrappedStop) owner.stop = stop;
		if (owner.start === wrappedStart) owner.start = start;
	};
}
