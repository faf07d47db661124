/** Who may ask: decided from `Host`, `Origin` and `Sec-Fetch-Site`, before a token is looked at. */

/** Names that lead to this machine from this machine. A port may differ: a tunnel gives the server another one. */
const LOOPBACK: ReadonlySet<string> = new Set(["127.0.0.1", "localhost", "[::1]"]);

/** A `Host` header's name without its port, in lower case; undefined if it is none. */
export function hostName(host: string | undefined): string | undefined {
	return /^(\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i.exec(host ?? "")?.[1]?.toLowerCase();
}

/**
 * Whether requests under this name are answered. A page of another site can point its own name at this machine (DNS rebinding);
 * its browser then still says that name here. `more`: the addresses that a server on a local network is reached by.
 */
export function isKnownHost(host: string | undefined, more: ReadonlySet<string>): boolean {
	const name = hostName(host);
	return name !== undefined && (LOOPBACK.has(name) || more.has(name));
}

export interface RequestOrigin {
	host: string | undefined;
	/** `Origin`: sent by browsers with what a page asks for. */
	origin: string | undefined;
	/** `Sec-Fetch-Site`: sent by browsers, and not for a page to set. */
	site: string | undefined;
}

/** Whether a page of another origin asks. Programs that are no browsers send neither header. */
export function isForeign({ host, origin, site }: RequestOrigin): boolean {
	if (site === "cross-site" || site === "same-site") return true;
	if (origin === undefined) return false;
	return origin.toLowerCase() !== `http://${host?.toLowerCase()}`;
}

/** Whether an address of the other end is this machine. */
export function isLoopback(address: string | undefined): boolean {
	return address !== undefined && (address === "::1" || /^(::ffff:)?127\./.test(address));
}
