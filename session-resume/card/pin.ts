export interface PinDeps {
	/** What the editor holds. */
	text(): string;
	/** The card is still wanted: called right before it is shown. */
	show(): void;
}

/** The card of a session that was just opened, until it is on screen or no longer wanted. */
export interface Pin {
	/** Show it at once, or as soon as the user has stopped typing. */
	set(): void;
	cancel(): void;
}

/** How long the editor's text must not change, in ms: text that only stands there is no typing. */
const PAUSE_MS = 2_000;

export function createPin({ text, show }: PinDeps): Pin {
	let handle: NodeJS.Timeout | undefined;
	const look = (before: string) => {
		const now = text();
		if (now.trim() === "" || now === before) show();
		else handle = setTimeout(look, PAUSE_MS, now).unref();
	};
	return {
		set() {
			clearTimeout(handle);
			look("");
		},
		cancel: () => clearTimeout(handle),
	};
}
