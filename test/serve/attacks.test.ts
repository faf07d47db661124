import { readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { lanAddresses } from "../../bin/serve/main.ts";
import { projectFolder, sessionsRoot } from "../../session-core/sessions/folders.ts";
import { session, until } from "../host/index.ts";
import type { AgentFolder } from "./agent-folder.ts";
import { type Serving, sharedServing, testFolder, testServing } from "./serving.ts";

const SID = "0195a1b2-c3d4-7000-8000-00000000000a";
const RECAP = { kind: "session", subject_id: SID };
const ROUTES = [
	"/health",
	"/v1/sessions",
	`/v1/sessions/${SID}`,
	"/v1/search?q=queue",
	`/v1/recap?subject_id=${SID}`,
	`/watch/sessions/${SID}/recap`,
];
const POSTS = ["/v1/recap", "/v1/resume"];

function put(folder: AgentFolder): string {
	return folder.put(SID, session({ id: SID }).user("Move the queue").assistant("Done.").build());
}

describe("access", () => {
	const shared = sharedServing(put);
	const act = (more: Record<string, string>) => ({ authorization: "Bearer ACT", ...more });

	test.each<[string, Record<string, string>, number, string]>([
		["no token", {}, 401, "no_token"],
		["an empty token", { authorization: "Bearer " }, 401, "no_token"],
		["a wrong token", { authorization: `Bearer ${"a".repeat(43)}` }, 401, "no_token"],
		["a part of a token", { authorization: "Bearer PART" }, 401, "no_token"],
		["a token as a password", { authorization: `Basic ${btoa("x:ACT")}` }, 401, "no_token"],
		["a page of another site", act({ origin: "https://evil.example" }), 403, "foreign_origin"],
		["a page without an origin", act({ origin: "null" }), 403, "foreign_origin"],
		["a page of another port", act({ origin: "http://127.0.0.1:3000" }), 403, "foreign_origin"],
		["a cross-site request", act({ "sec-fetch-site": "cross-site" }), 403, "foreign_origin"],
		["a same-site request", act({ "sec-fetch-site": "same-site" }), 403, "foreign_origin"],
	])("is refused on every route with %s", async (_what, given, status, reason) => {
		const { act: token } = shared().tokens;
		const filled = (value: string) => value.replace("ACT", token).replace("PART", token.slice(0, 42));
		const headers = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, filled(value)]));
		for (const path of [...ROUTES, "/v1/live", "/nothing", ...POSTS]) {
			const asked = { token: "", headers, ...(POSTS.includes(path) && { body: RECAP }) };
			const { status: got, json, headers: sent } = await shared().ask(path, asked);
			expect([path, got, json?.error?.reason]).toEqual([path, status, reason]);
			expect(json.error.remedy).not.toBe("");
			expect(sent["access-control-allow-origin"]).toBeUndefined();
		}
	});

	test("with the read-only token is limited to reading", async () => {
		const { read: token } = shared().tokens;
		expect(await shared().refusal("/v1/sessions", { token })).toEqual([200]);
		for (const path of POSTS)
			expect(await shared().refusal(path, { token, body: RECAP })).toEqual([403, "read_only"]);
	});

	const [lan] = lanAddresses();
	test.skipIf(lan === undefined)(
		"from the local network is limited to reading, whatever the token",
		async () => {
			const folder = testFolder();
			put(folder);
			const { port, tokens } = await testServing(folder, { address: "0.0.0.0", hosts: [lan ?? ""] });
			const headers = { authorization: `Bearer ${tokens.act}`, "content-type": "application/json" };
			const url = `http://${lan}:${port}/v1`;
			expect((await fetch(`${url}/sessions`, { headers })).status).toBe(200);
			const body = JSON.stringify(RECAP);
			const refused = await fetch(`${url}/recap`, { method: "POST", headers, body });
			expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining("not_local")]);
			expect((await fetch(`${url}/sessions`)).status).toBe(401);
		},
	);

	test("is limited to each route's methods, without preflights or forms from other sites", async () => {
		const headers = { origin: "https://evil.example", "access-control-request-method": "POST" };
		const preflight = await shared().ask("/v1/resume", { method: "OPTIONS", token: "", headers });
		expect(preflight.status).toBe(403);
		expect(Object.keys(preflight.headers).join()).not.toContain("access-control-");
		for (const method of ["PUT", "DELETE", "PATCH"])
			expect((await shared().ask(`/v1/sessions/${SID}`, { method })).status).toBe(404);
		for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]) {
			const form = { body: RECAP, headers: { "content-type": type } };
			expect([type, ...(await shared().refusal("/v1/recap", form))]).toEqual([type, 415, "not_json"]);
		}
		expect((await shared().ask("/v1/recap", { body: "{" })).status).toBe(415);
	});

	test("with HEAD keeps no stream open", async () => {
		const { status, headers } = await shared().ask("/v1/live", { method: "HEAD" });
		expect([status, headers["content-type"]]).toEqual([200, "text/event-stream"]);
	});

	test.each(["/", "/health", "/nothing", "/v1/sessions?limit=0"])(
		"to %s has all security headers",
		async (path) => {
			for (const token of [shared().tokens.act, ""]) {
				const { headers } = await shared().ask(path, { token });
				const policy = String(headers["content-security-policy"]);
				expect(policy).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
				expect(policy).not.toMatch(/unsafe|https?:|\*|data:/);
				expect(headers).toMatchObject({
					"referrer-policy": "no-referrer",
					"x-content-type-options": "nosniff",
				});
				expect([headers["x-powered-by"], headers["server"]]).toEqual([undefined, undefined]);
				if (path === "/") continue;
				expect(headers["content-type"]).toMatch(/^application\/json/);
				expect(headers["cache-control"]).toBe("no-store");
			}
		},
	);

	test("leaves nothing in the agent folder but the tokens and the index", async () => {
		const { folder } = shared();
		for (const path of ROUTES) await shared().ask(path);
		expect(readdirSync(folder.path).sort()).toEqual(["session-suite", "sessions"]);
		for (const name of readdirSync(join(folder.path, "session-suite")))
			expect(["serve-tokens.json", "index", "live"]).toContain(name);
	});
});

describe("what can be read", () => {
	const shared = sharedServing((folder) => {
		put(folder);
		writeFileSync(join(folder.path, "auth.json"), '{"key":"not-for-you"}');
	});

	test.each([
		"../../auth.json",
		"..%2f..%2fauth.json",
		"..%252f..%252fauth.json",
		"file:%2f%2f%2fetc%2fpasswd",
		`${SID}%00.jsonl`,
		"%ff%fe",
		"__proto__",
		SID.slice(0, 8),
	])("by the id %s is nothing", async (id) => {
		for (const path of [
			`/v1/sessions/${id}`,
			`/watch/sessions/${id}/recap`,
			`/v1/recap?subject_id=${id}`,
			`/${id}`,
		]) {
			const { status, text } = await shared().ask(path);
			expect([path, [400, 404, 422].includes(status)]).toEqual([path, true]);
			expect(text).not.toMatch(/not-for-you|root:|Move the queue/);
		}
		const body = { from_subject_id: id, kind: "session" };
		expect((await shared().ask("/v1/resume", { body })).status).toBe(404);
	});

	test("is no symlinked session, and no symlink that replaces a listed session", async () => {
		const [folder, outside] = [testFolder(), testFolder()];
		const plan = session({ id: "dddd0001" }).user("Secret plan").assistant("Yes.");
		const secret = outside.put("dddd0001", plan.build());
		const listed = put(folder);
		symlinkSync(secret, join(projectFolder(sessionsRoot(folder.path), "/code/app"), "linked.jsonl"));
		const serving = await testServing(folder);
		expect((await serving.ask("/v1/sessions")).json.total).toBe(1);
		expect((await serving.ask("/v1/sessions/dddd0001")).status).toBe(404);
		rmSync(listed);
		symlinkSync(secret, listed);
		for (const path of [`/v1/sessions/${SID}`, `/v1/recap?subject_id=${SID}`]) {
			const { status, text } = await serving.ask(path);
			expect([status, text.includes("Secret plan")]).toEqual([404, false]);
		}
		expect((await serving.ask("/v1/search?q=secret")).json.hits).toEqual([]);
		expect((await serving.ask("/v1/recap", { body: RECAP })).status).toBe(404);
		expect(readFileSync(secret, "utf8")).not.toContain("session-suite");
	});
});

describe("a request that is for another host, too large or too slow", () => {
	const shared = sharedServing(put);
	const hurried = sharedServing(put, { requestMs: 200 });
	const HOST = "Host: 127.0.0.1\r\n";
	const TOKEN = "Authorization: Bearer ACT\r\n";
	const POST = `POST /v1/recap HTTP/1.1\r\n${HOST}${TOKEN}Content-Type: application/json\r\n`;

	test.each(["evil.example:7878", "192.168.1.7:7878", "127.0.0.1.nip.io", "127.0.0.1:7878:80"])(
		"is refused for the host %s",
		async (host) => {
			const text = `GET /v1/sessions HTTP/1.1\r\nHost: ${host}\r\n${TOKEN}Connection: close\r\n\r\n`;
			expect(await received(shared(), text)).toMatch(/^HTTP\/1\.1 421 [\s\S]*unknown_host/);
		},
	);

	test.each([
		["a body of 10 MB", "Content-Length: 10485760\r\n\r\n"],
		["a body of 10 MB in chunks", "Transfer-Encoding: chunked\r\n\r\n100000\r\n"],
	])("%s is refused before it is complete", async (_what, start) => {
		const text = POST + start + "x".repeat(70_000);
		expect(await received(shared(), text)).toMatch(/^HTTP\/1\.1 413 [\s\S]*too_large/);
	});

	test.each([
		["headers that never end", `POST /v1/recap HTTP/1.1\r\n${HOST}`],
		["a body that never arrives", `${POST}Content-Length: 50\r\n\r\n{`],
	])("%s: the connection ends", async (_what, start) => {
		await received(hurried(), start);
	});

	test("two Host headers are refused, whichever comes first", async () => {
		const serving = await testServing(testFolder());
		const [own, other] = [`Host: 127.0.0.1:${serving.port}`, "Host: evil.example"];
		for (const hosts of [`${own}\r\n${other}`, `${other}\r\n${own}`, `${own}\r\n${own}`]) {
			const text = `GET / HTTP/1.1\r\n${hosts}\r\nConnection: close\r\n\r\n`;
			expect(await received(serving, text)).toMatch(/^HTTP\/1\.1 4(?:00|21) /);
		}
	});

	test("the oldest of 80 silent connections are closed, and requests are always answered", async () => {
		const serving = await testServing(testFolder());
		const silent = Array.from({ length: 80 }, () => opened(serving));
		for (const socket of silent) socket.write(`GET /v1/sessions HTTP/1.1\r\n${HOST}`);
		await until(() => silent.filter(({ closed }) => closed).length === 16, "16 to be closed");
		for (let time = 0; time < 3; time++) expect(await serving.refusal("/health")).toEqual([200]);
		expect(silent.filter(({ closed }) => !closed).length).toBeGreaterThanOrEqual(60);
		expect(silent.slice(0, 16).every(({ closed }) => closed)).toBe(true);
	});

	test("the oldest four of 20 event streams are closed", async () => {
		const serving = await testServing(testFolder());
		const streams: Socket[] = [];
		for (let count = 0; count < 20; count++) {
			const socket = opened(serving);
			let got = "";
			socket.on("data", (chunk) => (got += chunk));
			socket.write(filled(`GET /v1/live HTTP/1.1\r\n${HOST}${TOKEN}\r\n`, serving));
			await until(() => got.includes("event: live"), `stream ${count}`);
			streams.push(socket);
		}
		await until(() => streams.slice(0, 4).every(({ closed }) => closed), "the oldest to be closed");
		expect(streams.slice(4).some(({ closed }) => closed)).toBe(false);
	});

	const filled = (text: string, { tokens }: Serving) => text.replace("ACT", tokens.act);

	function opened({ port }: Serving): Socket {
		const socket = connect(port, "127.0.0.1");
		onTestFinished(() => void socket.destroy());
		return socket.on("error", () => undefined);
	}

	/** Sends raw text; resolves to everything that arrives until the connection ends. */
	function received(serving: Serving, text: string): Promise<string> {
		const socket = opened(serving);
		socket.write(filled(text, serving));
		return new Promise((resolve) => {
			let all = "";
			socket.on("data", (chunk) => (all += chunk));
			socket.once("close", () => resolve(all));
		});
	}
});
