/** A host newer than the locked one; `node`: the major version of Node that it needs, if another than the suite's. */
export interface NewerHost {
	version: string;
	node?: string;
}

export interface HostCopy {
	folder: string;
	/** `dist/cli.js` of the host. */
	cli: string;
	/** Path of the Node that runs it; undefined: any. */
	node: string | undefined;
	/** Stands there once all of it is installed. */
	stamp: string;
}

export const BETWEEN: NewerHost;
export const NEWEST: NewerHost;
/** Where the copy of a host is, or would be. */
export function copyOf(host: NewerHost): HostCopy;
