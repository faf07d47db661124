import { afterAll, beforeAll, onTestFinished } from "vitest";
import type { Tokens } from "../../bin/serve/guard.ts";
import type { ServerOptions } from "../../bin/serve/server.ts";
import { AgentFolder, serveFolder } from "./agent-folder.ts";

export interface Asked {
	method?: string;
	headers?: Record<string, string>;
	token?: string | undefined;
	/** A string is sent as it is, anything else as JSON. */
	body?: unknown;
}

export interface Reply {
	status: number;
	headers: Record<string, string>;
	text: string;
	// biome-ignore lint/suspicious/noExplicitAny: tests check the shape
	json: any;
}

export class Serving {
	readonly port: number;
	readonly tokens: Tokens;

	constructor(port: number, tokens: Tokens) {
		this.port = port;
		this.tokens = tokens;
	}

	get url(): string {
		return `http://127.0.0.1:${this.port}`;
	}

	/** Sends a request, by default with the `act` token. */
	async ask(path: string, { method, headers, token = this.tokens.act, body }: Asked = {}): Promise<Reply> {
		const text = typeof body === "string" || body === undefined ? body : JSON.stringify(body);
		const sent = {
			...(token !== "" && { authorization: `Bearer ${token}` }),
			...(text !== undefined && { "content-type": "application/json" }),
			...headers,
		};
		const asked = {
			method: method ?? (text === undefined ? "GET" : "POST"),
			headers: sent,
			body: text ?? null,
		};
		const response = await fetch(this.url + path, asked);
		const all = await response.text();
		const { status } = response;
		return { status, headers: Object.fromEntries(response.headers), text: all, json: parsed(all) };
	}

	/** Sends a request, and returns the status and, if it is refused, the reason. */
	async refusal(path: string, asked: Asked = {}): Promise<[status: number, reason?: string]> {
		const { status, json } = await this.ask(path, asked);
		return status < 400 ? [status] : [status, json?.error?.reason];
	}

	async post(path: string, body: object): Promise<Reply["json"]> {
		return (await this.ask(path, { body })).json;
	}
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		// The body is not JSON, so the test checks its text.
		return undefined;
	}
}

/** One server for all tests of a block, which must not depend on each other's changes. */
export function sharedServing(
	place: (folder: AgentFolder) => void,
	options: Partial<ServerOptions> = {},
): () => Serving & { folder: AgentFolder } {
	let shared: (Serving & { folder: AgentFolder }) | undefined;
	let end: () => Promise<void>;
	beforeAll(async () => {
		const folder = new AgentFolder();
		place(folder);
		const { server, tokens } = await serveFolder(folder.path, options);
		shared = Object.assign(new Serving(server.port, tokens), { folder });
		end = () => server.close().finally(() => folder.remove());
	});
	afterAll(() => end());
	return () => {
		if (!shared) throw new Error("the server is not up yet");
		return shared;
	};
}

export async function testServing(
	folder: Pick<AgentFolder, "path">,
	options: Partial<ServerOptions> = {},
): Promise<Serving> {
	const { server, tokens } = await serveFolder(folder.path, options);
	onTestFinished(() => server.close());
	return new Serving(server.port, tokens);
}

export function testFolder(): AgentFolder {
	const folder = new AgentFolder();
	onTestFinished(() => folder.remove());
	return folder;
}
