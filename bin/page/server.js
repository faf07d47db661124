/**
 * The page's URL contains the token only when the page is first opened. After that, the token is kept
 * in the tab's session storage.
 */

const KEY = "pi-sessions-token";
/**
 * The server sends data every 15 seconds, so a connection without data for 40 seconds is considered
 * lost.
 */
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

/** @param {string} token */
export function keepToken(token) {
	sessionStorage.setItem(KEY, token);
}

export class Refusal extends Error {
	status = 0;
}

/** @param {unknown} error */
export const problemOf = (error) =>
	error instanceof Refusal ? error.message : "The server cannot be reached. Run pi-sessions serve again.";

/**
 * Sends a request with the access token to the server.
 * @type {(path: string, options?: RequestInit) => Promise<Response>}
 */
function request(path, options) {
	const headers = {
		authorization: `Bearer ${sessionStorage.getItem(KEY)}`,
		"content-type": "application/json",
	};
	return fetch(path, { headers, cache: "no-store", credentials: "omit", redirect: "error", ...options });
}

/**
 * Requests JSON from the server. Throws a `Refusal` if the server reports an error.
 * @type {<Answer>(path: string, body?: object) => Promise<Answer>}
 */
export async function fetchJson(path, body) {
	const response = await request(path, body && { method: "POST", body: JSON.stringify(body) });
	const answer = await response.json();
	if (!response.ok)
		throw Object.assign(new Refusal(`${answer.error.message} ${answer.error.remedy}`), {
			status: response.status,
		});
	return answer;
}

/** @param {Listener} on */
export async function listen(on) {
	for (;;) {
		try {
			const isRefused = await follow(on);
			if (isRefused) return on.refused();
		} catch {
			// Connection errors are ignored, because the page reconnects after a pause.
		}
		on.lost();
		await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
	}
}

/** @param {Listener} on */
async function follow(on) {
	const control = new AbortController();
	/** @type {Timer | undefined} */
	let silence;
	const alive = () => {
		clearTimeout(silence);
		silence = setTimeout(() => control.abort(), SILENCE_MS);
	};
	alive();
	try {
		const response = await request("/v1/live", { signal: control.signal });
		if (response.status === 401) {
			sessionStorage.removeItem(KEY);
			return true;
		}
		if (!response.ok || !response.body) return false;
		const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
		let rest = "";
		for (let part = await reader.read(); !part.done; part = await reader.read()) {
			alive();
			const blocks = (rest + part.value).split("\n\n");
			rest = blocks.pop() ?? "";
			for (const block of blocks) {
				const [, name, data = ""] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? [];
				if (name === "live" || name === "sessions") on[name](JSON.parse(data));
			}
		}
		return false;
	} finally {
		clearTimeout(silence);
	}
}
