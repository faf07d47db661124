import { readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { lanAddresses } from "../../bin/serve/main.ts";
import { projectFolder, sessionsRoot } from "../../session-core/catalog/folders.ts";
import { session } from "../host/fixtures.ts";
import type { AgentFolder } from "./agent-folder.ts";
import { type Serving, testFolder, testServing } from "./serving.ts";

const SID = "0195a1b2-c3d4-7000-8000-00000000000a";
const ROUTES = ["/health", "/v1/sessions", `/v1/sessions/${SID}`, `/v1/recap?subject_id=${SID}`, "/v1/live"];
const MORE_ROUTES = [`/watch/sessions/${SID}/recap`, "/nothing"];

function put(folder: AgentFolder): string {
	return folder.put(SID, session({ id: SID }).user("Move the queue").assistant("Done.").build());
}

async function attacked(): Promise<Serving> {
	const folder = testFolder();
	put(folder);
	return testServing(folder);
}

describe("who may ask", () => {
	const table: [string, Record<string, string>, number, string][] = [
		["no token", {}, 401, "no_token"],
		["an empty token", { authorization: "Bearer " }, 401, "no_token"],
		["a wrong token", { authorization: `Bearer ${"a".repeat(43)}` }, 401, "no_token"],
		["a part of a token", { authorization: "Bearer PART" }, 401, "no_token"],
		["a token as a password", { authorization: `Basic ${btoa("x:ACT")}` }, 401, "no_token"],
		[
			"a name pointed at this machine",
			{ host: "evil.example:7878", authorization: "Bearer ACT" },
			421,
			"unknown_host",
		],
		[
			"a name that begins like ours",
			{ host: "127.0.0.1.evil.example", authorization: "Bearer ACT" },
			421,
			"unknown_host",
		],
		[
			"another machine's address",
			{ host: "192.168.1.7:7878", authorization: "Bearer ACT" },
			421,
			"unknown_host",
		],
		[
			"a page of another site",
			{ origin: "https://evil.example", authorization: "Bearer ACT" },
			403,
			"foreign_origin",
		],
		["a page without an origin", { origin: "null", authorization: "Bearer ACT" }, 403, "foreign_origin"],
		[
			"a page of another port here",
			{ origin: "http://127.0.0.1:3000", authorization: "Bearer ACT" },
			403,
			"foreign_origin",
		],
		[
			"a request that a browser calls cross-site",
			{ "sec-fetch-site": "cross-site", authorization: "Bearer ACT" },
			403,
			"foreign_origin",
		],
		[
			"a request that a browser calls same-site",
			{ "sec-fetch-site": "same-site", authorization: "Bearer ACT" },
			403,
			"foreign_origin",
		],
	];
	test.each(table)("not with %s, on any route", async (_what, given, status, reason) => {
		const serving = await attacked();
		const { act } = serving.tokens;
		const headers = Object.fromEntries(
			Object.entries(given).map(([name, value]) => [
				name,
				value.replace("ACT", act).replace("PART", act.slice(0, 42)),
			]),
		);
		for (const path of [...ROUTES, ...MORE_ROUTES]) {
			const { status: got, json, headers: sent } = await serving.ask(path, { token: "", headers });
			expect([path, got, json?.error?.reason]).toEqual([path, status, reason]);
			expect(json.error.remedy).not.toBe("");
			expect(sent["access-control-allow-origin"]).toBeUndefined();
		}
		for (const path of ["/v1/recap", "/v1/resume"]) {
			const body = { kind: "session", subject_id: SID };
			expect((await serving.ask(path, { token: "", headers, body })).status).toBe(status);
		}
	});

	test("the read-only token looks at everything and changes nothing", async () => {
		const serving = await attacked();
		const { read } = serving.tokens;
		expect((await serving.ask("/v1/sessions", { token: read })).status).toBe(200);
		for (const path of ["/v1/recap", "/v1/resume"]) {
			const { status, json } = await serving.ask(path, { token: read, body: { from_subject_id: SID } });
			expect([status, json.error.reason]).toEqual([403, "read_only"]);
		}
	});

	const [lan] = lanAddresses();
	test.skipIf(lan === undefined)("from the local network, the token that acts only looks", async () => {
		const folder = testFolder();
		put(folder);
		const serving = await testServing(folder, { address: "0.0.0.0", hosts: [lan ?? ""] });
		const headers = { authorization: `Bearer ${serving.tokens.act}`, "content-type": "application/json" };
		const url = `http://${lan}:${serving.port}`;
		expect((await fetch(`${url}/v1/sessions`, { headers })).status).toBe(200);
		const body = JSON.stringify({ kind: "session", subject_id: SID });
		const refused = await fetch(`${url}/v1/recap`, { method: "POST", headers, body });
		expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining("not_local")]);
		expect((await fetch(`${url}/v1/sessions`)).status).toBe(401);
	});

	test("no preflight is answered, and no method but those of the routes", async () => {
		const serving = await attacked();
		const headers = { origin: "https://evil.example", "access-control-request-method": "POST" };
		const preflight = await serving.ask("/v1/resume", { method: "OPTIONS", token: "", headers });
		expect(preflight.status).toBe(403);
		expect(Object.keys(preflight.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
		for (const method of ["PUT", "DELETE", "PATCH"])
			expect((await serving.ask(`/v1/sessions/${SID}`, { method })).status).toBe(404);
	});

	test("asked for its headers alone, the stream keeps nothing open", async () => {
		const serving = await attacked();
		const { status, headers } = await serving.ask("/v1/live", { method: "HEAD" });
		expect([status, headers["content-type"]]).toEqual([200, "text/event-stream"]);
		expect((await serving.ask("/health")).json.features.live.clients).toBe(0);
	});

	test("a form of another site cannot post: the body has to say that it is JSON", async () => {
		const serving = await attacked();
		const body = JSON.stringify({ kind: "session", subject_id: SID });
		for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]) {
			const { status } = await serving.ask("/v1/recap", { body, headers: { "content-type": type } });
			expect([type, status]).toEqual([type, 415]);
		}
		expect((await serving.ask("/v1/recap", { body: "{" })).status).toBe(415);
	});
});

describe("what can be read", () => {
	const IDS = [
		"../../auth.json",
		"..%2f..%2fauth.json",
		"%2e%2e%2f%2e%2e%2fauth.json",
		"..%252f..%252fauth.json",
		"..%5c..%5cauth.json",
		"%2fetc%2fpasswd",
		"/etc/passwd",
		"//etc/passwd",
		"file:%2f%2f%2fetc%2fpasswd",
		`${SID}%00.jsonl`,
		`${SID}.jsonl`,
		`${SID}%2f..`,
		"%ff%fe",
		"%",
		"__proto__",
		"constructor",
		"*",
		SID.slice(0, 8),
	];
	test.each(IDS)("nothing by the id %s", async (id) => {
		const folder = testFolder();
		put(folder);
		writeFileSync(join(folder.path, "auth.json"), '{"key":"not-for-you"}');
		const serving = await testServing(folder);
		for (const path of [
			`/v1/sessions/${id}`,
			`/watch/sessions/${id}/recap`,
			`/v1/recap?subject_id=${id}`,
			`/${id}`,
		]) {
			const { status, text } = await serving.ask(path);
			expect([path, [400, 404, 422].includes(status)]).toEqual([path, true]);
			expect(text).not.toMatch(/not-for-you|root:|Move the queue/);
		}
		const body = { from_subject_id: id, kind: "session" };
		expect((await serving.ask("/v1/resume", { body })).status).toBe(404);
	});

	test("no linked session, no linked folder, no link in the place of a listed one", async () => {
		const folder = testFolder();
		const outside = testFolder();
		const secret = outside.put(
			"dddd0001",
			session({ id: "dddd0001" }).user("Secret plan").assistant("Yes.").build(),
		);
		const listed = put(folder);
		const root = sessionsRoot(folder.path);
		symlinkSync(secret, join(projectFolder(root, "/code/app"), "linked.jsonl"));
		symlinkSync(projectFolder(sessionsRoot(outside.path), "/code/app"), join(root, "--linked--"));
		const serving = await testServing(folder);
		expect((await serving.ask("/v1/sessions")).json.total).toBe(1);
		expect((await serving.ask("/v1/sessions/dddd0001")).status).toBe(404);
		rmSync(listed);
		symlinkSync(secret, listed);
		for (const path of [`/v1/sessions/${SID}`, `/v1/recap?subject_id=${SID}`]) {
			const { status, text } = await serving.ask(path);
			expect([status, text.includes("Secret plan")]).toEqual([404, false]);
		}
		const body = { kind: "session", subject_id: SID };
		expect((await serving.ask("/v1/recap", { body })).status).toBe(404);
		expect(readFileSync(secret, "utf8")).not.toContain("session-suite");
	});

	test("markup, controls, bidi and secrets in titles, prompts and recaps come out as harmless text", async () => {
		const folder = testFolder();
		const evil = "<img src=x onerror=alert(1)><script>alert(2)</script>\u001b]0;own\u0007\u202egnp.exe";
		const key =
			"sk-ant-api03-AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-AbCdEfGhAA";
		const text = session({ id: SID })
			.user(`${evil} use ${key}`)
			.assistant(`Did ${evil} with ${key}. Next?`)
			.name(evil)
			.build();
		folder.put(SID, text);
		const serving = await testServing(folder);
		await serving.ask("/v1/recap", { body: { kind: "session", subject_id: SID } });
		for (const path of [...ROUTES.filter((route) => route !== "/v1/live"), `/watch/sessions/${SID}/recap`]) {
			const { text: got, headers, status } = await serving.ask(path);
			expect([path, status]).toEqual([path, 200]);
			expect(got).not.toMatch(/\\u001b|\u001b|\u202e|\\u202e|sk-ant-api03-AbC/);
			expect(headers["content-type"]).toMatch(/^application\/json/);
			expect(headers["x-content-type-options"]).toBe("nosniff");
			expect(headers["cache-control"]).toBe("no-store");
		}
	});
});

describe("what is sent with every answer", () => {
	test.each(["/", "/health", "/nothing", "/v1/sessions?limit=0"])("%s", async (path) => {
		const serving = await attacked();
		for (const token of [undefined, ""]) {
			const { headers } = await serving.ask(path, { token: token ?? serving.tokens.act });
			const policy = String(headers["content-security-policy"]);
			expect(policy).toMatch(/default-src 'none'/);
			expect(policy).not.toMatch(/unsafe|https?:|\*|data:/);
			expect(policy).toMatch(/frame-ancestors 'none'/);
			expect(headers["referrer-policy"]).toBe("no-referrer");
			expect(headers["x-powered-by"]).toBeUndefined();
			expect(headers["server"]).toBeUndefined();
		}
	});

	test("nothing of a request comes back in a header or in markup", async () => {
		const serving = await attacked();
		const { headers, text } = await serving.ask("/%0d%0aSet-Cookie:%20a=b?x=%3Cscript%3E");
		expect(headers["set-cookie"]).toBeUndefined();
		expect(text).not.toMatch(/script|Set-Cookie/i);
	});
});

describe("too much, and too slow", () => {
	test.each([
		["in one piece", "Content-Length: 10485760", ""],
		["in chunks", "Transfer-Encoding: chunked", "100000\r\n"],
	])("a body of 10 MB %s is refused before it is read", async (_what, length, start) => {
		const serving = await attacked();
		const socket = connected(serving);
		const answer = received(socket);
		socket.write(
			`POST /v1/recap HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${serving.tokens.act}\r\nContent-Type: application/json\r\n${length}\r\n\r\n${start}`,
		);
		// A part of it at most: the answer comes while the rest is still to be sent.
		socket.write("x".repeat(70_000));
		expect(await answer).toMatch(/^HTTP\/1\.1 413 [\s\S]*too_large/);
		expect((await serving.ask("/health")).status).toBe(200);
	});

	test.each([
		["headers", "POST /v1/recap HTTP/1.1\r\nHost: 127.0.0.1\r\n"],
		[
			"a body",
			"POST /v1/recap HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ACT\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{",
		],
	])("%s that never arrive do not keep a connection", async (_what, start) => {
		const folder = testFolder();
		const serving = await testServing(folder, { requestMs: 200 });
		const socket = connected(serving);
		const ended = new Promise((resolve) => socket.once("close", resolve));
		socket.resume();
		socket.write(start.replace("ACT", serving.tokens.act));
		await ended;
	});

	test.each([
		["a header that ends early", "GET /health HTTP/1.1\r\nHost: 127.0.0.1\nX: y\r\n\r\n"],
		[
			"two lengths",
			"POST /v1/recap HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx",
		],
		[
			"length and chunks",
			"POST /v1/recap HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
		],
		["no host", "GET /health HTTP/1.1\r\n\r\n"],
		["a host that hides another", "GET /health HTTP/1.1\r\nHost: evil.example@127.0.0.1\r\n\r\n"],
		["headers of 64 KB", `GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ${"y".repeat(65_536)}\r\n\r\n`],
	])("%s is no request", async (_what, text) => {
		const serving = await attacked();
		const socket = connected(serving);
		const answer = received(socket);
		socket.write(text);
		socket.end();
		expect(await answer).toMatch(/^(HTTP\/1\.1 (4\d\d) |$)/);
		expect((await serving.ask("/health")).status).toBe(200);
	});
});

test("no attack leaves anything in the agent folder but the tokens and the index", async () => {
	const folder = testFolder();
	put(folder);
	const serving = await testServing(folder);
	for (const path of [...ROUTES.slice(0, 4), ...MORE_ROUTES]) await serving.ask(path);
	expect(readdirSync(folder.path).sort()).toEqual(["session-suite", "sessions"]);
	for (const name of readdirSync(join(folder.path, "session-suite")))
		expect(["serve-tokens.json", "index", "live", "machine"]).toContain(name);
});

function connected({ port }: Serving): Socket {
	const socket = connect(port, "127.0.0.1");
	socket.on("error", () => undefined);
	onTestFinished(() => void socket.destroy());
	return socket;
}

/** All that comes until the connection ends. */
function received(socket: Socket): Promise<string> {
	return new Promise((resolve) => {
		let all = "";
		socket.on("data", (chunk) => {
			all += chunk;
		});
		socket.once("close", () => resolve(all));
	});
}
