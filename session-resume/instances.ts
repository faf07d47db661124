/**
 * A command that opens another session ends in the instance of the extension that the host makes for it: only that one
 * may still speak to the host. The host loads every instance anew, so they find each other on the global object.
 */
const REGISTRY = Symbol.for("pi-session-suite:resume-instances");

/** What the instance of a session does on behalf of the one that opened it. */
export interface Continuation {
	/** The prompt to insert; undefined: the session's own first next step; empty: nothing is open. */
	prompt: string | undefined;
	send: boolean;
}

export interface Instance {
	/** Put back what the user typed while the session was replaced, in place of what the host filled in after that. */
	keepTyped(text: string, filled: string): void;
	goOn(continuation: Continuation): Promise<void>;
}

interface Registry {
	instances: Map<string, Instance>;
	waiting: Map<string, (instance: Instance | undefined) => void>;
}

/** Milliseconds that a new instance may take to start. */
const DEADLINE_MS = 5_000;

/** Say that the instance of this session is up. Returns the way to take it back. */
export function registerInstance(sessionId: string, instance: Instance): () => void {
	const { instances, waiting } = registry();
	instances.set(sessionId, instance);
	waiting.get(sessionId)?.(instance);
	return () => {
		if (instances.get(sessionId) === instance) instances.delete(sessionId);
	};
}

/** The instance of a session that was just opened; undefined if none comes up in time, or the session is over before. */
export function waitForInstance(sessionId: string, deadlineMs = DEADLINE_MS): Promise<Instance | undefined> {
	const { instances, waiting } = registry();
	const known = instances.get(sessionId);
	if (known) return Promise.resolve(known);
	return new Promise((resolve) => {
		const finish = (instance: Instance | undefined) => {
			clearTimeout(timer);
			waiting.delete(sessionId);
			resolve(instance);
		};
		const timer = setTimeout(finish, deadlineMs, undefined);
		timer.unref();
		waiting.set(sessionId, finish);
	});
}

/** This session ends, perhaps before its instance was up: nobody needs to wait for it. */
export function stopWaiting(sessionId: string): void {
	registry().waiting.get(sessionId)?.(undefined);
}

function registry(): Registry {
	const shared = globalThis as { [REGISTRY]?: Registry };
	shared[REGISTRY] ??= { instances: new Map(), waiting: new Map() };
	return shared[REGISTRY];
}
