/**
 * Sends requests to the server. The token is in the address only when the page is first opened; after that, it is kept in the tab's session
 * storage.
 */

const KEY = "pi-sessions-token";
/** A connection with no data for this many milliseconds counts as lost, because the server sends something every 15 s. */
const SILENCE_MS = 40_000;
const RETRY_MS = 1_000;

export function takeToken() {
	const given = /^#token=([\w-]+)$/.exec(location.hash)?.[1];
	if (given) {
		keepToken(given);
		history.replaceState(null, "", location.pathname);
	}
	return sessionStorage.getItem(KEY);
}

export function keepToken(token) {
	sessionStorage.setItem(KEY, token);
}

export class Refusal extends Error {
	constructor(status, { message, remedy }) {
		super(`${message} ${remedy}`);
		this.status = status;
	}
}

function request(path, options = {}) {
	const headers = { authorization: `Bearer ${sessionStorage.getItem(KEY)}`, ...options.headers };
	return fetch(path, { ...options, headers, cache: "no-store", credentials: "omit", redirect: "error" });
}

export async function fetchJson(path, body) {
	const headers = { "content-type": "application/json" };
	const post = { method: "POST", headers, body: JSON.stringify(body) };
	const response = await request(path, body === undefined ? {} : post);
	const answer = await response.json();
	if (!response.ok) throw new Refusal(response.status, answer.error);
	return answer;
}

/**
 * Listens for events, and reconnects when the connection is lost. `on` contains the callbacks `event(name, data)`, `lost()` and
 * `refused()`.
 */
export async function listen(on) {
	for (;;) {
		const control = new AbortController();
		let silence;
		const alive = () => {
			clearTimeout(silence);
			silence = setTimeout(() => control.abort(), SILENCE_MS);
		};
		try {
			alive();
			const response = await request("/v1/live", { signal: control.signal });
			if (response.status === 401) {
				sessionStorage.removeItem(KEY);
				return on.refused();
			}
			if (!response.ok) throw new Error(String(response.status));
			for await (const text of blocks(response.body, alive)) {
				const [, name, data] = /^event: (.*)\ndata: (.*)$/.exec(text) ?? [];
				if (name) on.event(name, JSON.parse(data));
			}
		} catch {
			// The connection failed, so the next iteration tries again.
		}
		clearTimeout(silence);
		on.lost();
		await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
	}
}

/** Returns the events of a stream, which are separated by blank lines. */
async function* blocks(stream, alive) {
	const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
	let rest = "";
	for (;;) {
		const { done, value } = await reader.read();
		if (done) return;
		alive();
		const all = (rest + value).split("\n\n");
		rest = all.pop();
		yield* all;
	}
}
