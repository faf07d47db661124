/**
 * If a command opens another session, the extension's instance in that session completes the command, because only that instance may
 * still use the host. The host loads each instance separately, so they find each other through the global object.
 */
const REGISTRY = Symbol.for("pi-session-suite:resume-instances");

/** How a session continues after it was opened. */
export interface Continuation {
	/** The prompt to insert. If undefined, the first of the session's own next steps is inserted. If empty, nothing is inserted. */
	prompt: string | undefined;
	send: boolean;
}

export interface Instance {
	/**
	 * Replaces `filled`, which the host inserted into the editor, with `text`, which the user typed while the session was being replaced.
	 */
	keepTyped(text: string, filled: string): void;
	goOn(continuation: Continuation): Promise<void>;
}

interface Registry {
	instances: Map<string, Instance>;
	waiting: Map<string, (instance: Instance | undefined) => void>;
}

/** Maximum number of milliseconds that a new instance may take to start. */
const DEADLINE_MS = 5_000;

/** Registers the instance of a session. Returns a function that removes it. */
export function registerInstance(sessionId: string, instance: Instance): () => void {
	const { instances, waiting } = registry();
	instances.set(sessionId, instance);
	waiting.get(sessionId)?.(instance);
	return () => {
		if (instances.get(sessionId) === instance) instances.delete(sessionId);
	};
}

/** Resolves to the instance of a session that was just opened, or to undefined if no instance starts in time or the session ends. */
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

/** Stops any wait for the instance of a session that has ended. A session may end before its instance starts. */
export function stopWaiting(sessionId: string): void {
	registry().waiting.get(sessionId)?.(undefined);
}

function registry(): Registry {
	const shared = globalThis as { [REGISTRY]?: Registry };
	shared[REGISTRY] ??= { instances: new Map(), waiting: new Map() };
	return shared[REGISTRY];
}
