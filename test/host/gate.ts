/** Something that a test opens when it wants the rest to go on. */
export class Gate {
	readonly opened: Promise<void>;
	#open: () => void = () => undefined;

	constructor() {
		this.opened = new Promise((resolve) => {
			this.#open = resolve;
		});
	}

	open(): void {
		this.#open();
	}
}
