import {
	type Changes,
	type Checkout,
	type Exec,
	readChanges,
	readCheckout,
} from "../../session-core/workspace/repository.ts";

/** What is known of one folder's repository. Nothing waits for git: what came last counts. */
export interface Repository {
	/** As last known; undefined: no repository, or no answer yet. */
	readonly last: Checkout | undefined;
	refresh(): Promise<void>;
	/** Branch, commit and what is not committed, with the commits since `base`. */
	changes(base: string | undefined): Promise<Changes | undefined>;
}

export function createRepository(exec: Exec, cwd: string): Repository {
	let last: Checkout | undefined;
	return {
		get last() {
			return last;
		},
		async refresh() {
			last = (await readCheckout(exec, cwd)) ?? last;
		},
		async changes(base) {
			const changes = await readChanges(exec, cwd, base);
			if (changes) last = changes;
			return changes;
		},
	};
}
