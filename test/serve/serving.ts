import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { onTestFinished } from "vitest";
import type { ServerOptions } from "../../bin/serve/server.ts";
import type { Tokens } from "../../bin/serve/tokens.ts";
import { AgentFolder } from "./agent-folder.ts";
import { serveFolder } from "./serve-folder.ts";

export interface Asked {
	method?: string;
	/** `Host`, where it is to be another one. */
	headers?: Record<string, string>;
	token?: string | undefined;
	/** Sent as JSON, or as it is if it is text. */
	body?: unknown;
}

export interface Reply {
	status: number;
	headers: IncomingHttpHeaders;
	text: string;
	// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came
	json: any;
}

/** A server of its own, closed with the test. */
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

	/** Asks with the token that may act, unless told otherwise; the path goes out as it is, dots and all. */
	ask(path: string, { method, headers = {}, token = this.tokens.act, body }: Asked = {}): Promise<Reply> {
		const text = typeof body === "string" || body === undefined ? body : JSON.stringify(body);
		return new Promise((resolve, reject) => {
			const request = httpRequest(
				{
					port: this.port,
					host: "127.0.0.1",
					path,
					method: method ?? (text === undefined ? "GET" : "POST"),
					headers: {
						...(token !== "" && { authorization: `Bearer ${token}` }),
						...(text !== undefined && { "content-type": "application/json" }),
						...headers,
					},
					agent: false,
				},
				(response) => {
					const chunks: Buffer[] = [];
					response.on("data", (chunk: Buffer) => chunks.push(chunk));
					response.on("end", () => {
						const all = Buffer.concat(chunks).toString("utf8");
						const { statusCode = 0, headers: got } = response;
						resolve({ status: statusCode, headers: got, text: all, json: parsed(all) });
					});
				},
			);
			request.on("error", reject);
			request.end(text);
		});
	}
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		// No JSON: the test looks at the text.
		return undefined;
	}
}

export async function testServing(
	folder: AgentFolder,
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
