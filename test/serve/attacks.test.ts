import { readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { lanAddresses } from "../../bin/serve/main.ts";
import { projectFolder, sessionsRoot } from "../../session-core/sessions/folders.ts";
import { session } from "../host/fixtures.ts";
import { until } from "../host/until.ts";
import type { AgentFolder } from "./agent-folder.ts";
import { type Serving, sharedServing, testFolder, testServing } from "./serving.ts";

const SID = "0195a1b2-c3d4-7000-8000-00000000000a";
const ROUTES = [
	"/health",
	"/v1/sessions",
	`/v1/sessions/${SID}`,
	"/v1/search?q=queue",
	`/v1/recap?subject_id=${SID}`,
	`/watch/sessions/${SID}/recap`,
];

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
		const serving = shared();
		const { act: token } = serving.tokens;
		const filled = (value: string) => value.replace("ACT", token).replace("PART", token.slice(0, 42));
		const headers = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, filled(value)]));
		for (const path of [...ROUTES, "/v1/live", "/nothing"]) {
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

	test("with the read-only token is limited to reading", async () => {
		const { read: token } = shared().tokens;
		expect((await shared().ask("/v1/sessions", { token })).status).toBe(200);
		for (const path of ["/v1/recap", "/v1/resume"]) {
			const { status, json } = await shared().ask(path, { token, body: { from_subject_id: SID } });
			expect([status, json.error.reason]).toEqual([403, "read_only"]);
		}
	});

	const [lan] = lanAddresses();
	test.skipIf(lan === undefined)(
		"from the local network is limited to reading, whatever the token",
		async () => {
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
		},
	);

	test("is limited to each route's methods, without preflights or forms from other sites", async () => {
		const headers = { origin: "https://evil.example", "access-control-request-method": "POST" };
		const preflight = await shared().ask("/v1/resume", { method: "OPTIONS", token: "", headers });
		expect(preflight.status).toBe(403);
		expect(Object.keys(preflight.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
		for (const method of ["PUT", "DELETE", "PATCH"])
			expect((await shared().ask(`/v1/sessions/${SID}`, { method })).status).toBe(404);
		const body = JSON.stringify({ kind: "session", subject_id: SID });
		for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]) {
			const form = await shared().ask("/v1/recap", { body, headers: { "content-type": type } });
			expect([type, form.status]).toEqual([type, 415]);
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
				expect(headers["referrer-policy"]).toBe("no-referrer");
				expect(headers["x-content-type-options"]).toBe("nosniff");
				if (path === "/") continue;
				expect(headers["content-type"]).toMatch(/^application\/json/);
				expect(headers["cache-control"]).toBe("no-store");
				expect([headers["x-powered-by"], headers["server"]]).toEqual([undefined, undefined]);
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
		const secret = outside.put(
			"dddd0001",
			session({ id: "dddd0001" }).user("Secret plan").assistant("Yes.").build(),
		);
		const listed = put(folder);
		const root = sessionsRoot(folder.path);
		symlinkSync(secret, join(projectFolder(root, "/code/app"), "linked.jsonl"));
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
		const body = { kind: "session", subject_id: SID };
		expect((await serving.ask("/v1/recap", { body })).status).toBe(404);
		expect(readFileSync(secret, "utf8")).not.toContain("session-suite");
	});
});

describe("a request that is for another host, too large or too slow", () => {
	const shared = sharedServing(put);
	const hurried = sharedServing(put, { requestMs: 200 });
	const HOST = "Host: 127.0.0.1\r\n";
	const POST = `POST /v1/recap HTTP/1.1\r\n${HOST}Authorization: Bearer ACT\r\nContent-Type: application/json\r\n`;

	test.each(["evil.example:7878", "192.168.1.7:7878", "127.0.0.1.nip.io", "127.0.0.1:7878:80"])(
		"is refused for the host %s",
		async (host) => {
			const text = `GET /v1/sessions HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ACT\r\nConnection: close\r\n\r\n`;
			expect(await received(shared(), text)).toMatch(/^HTTP\/1\.1 421 [\s\S]*unknown_host/);
		},
	);

	test.each([
		["a body of 10 MB", `${POST}Content-Length: 10485760\r\n\r\n`],
		["a body of 10 MB in chunks", `${POST}Transfer-Encoding: chunked\r\n\r\n100000\r\n`],
	])("%s is refused before it is complete", async (_what, start) => {
		expect(await received(shared(), start + "x".repeat(70_000))).toMatch(/^HTTP\/1\.1 413 [\s\S]*too_large/);
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
		const half = "GET /v1/sessions HTTP/1.1\r\nHost: 127.0.0.1\r\n";
		for (const socket of silent) socket.write(half);
		await until(() => silent.filter(({ closed }) => closed).length === 16, { what: "16 to be closed" });
		for (let time = 0; time < 3; time++) expect((await serving.ask("/health")).status).toBe(200);
		const left = silent.filter(({ closed }) => !closed);
		expect(left.length).toBeGreaterThanOrEqual(60);
		expect(silent.slice(0, 16).every(({ closed }) => closed)).toBe(true);
	});

	test("the oldest four of 20 event streams are closed", async () => {
		const serving = await testServing(testFolder());
		const head = "GET /v1/live HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ACT\r\n\r\n";
		const streams: Socket[] = [];
		for (let count = 0; count < 20; count++) {
			const socket = opened(serving);
			let got = "";
			socket.on("data", (chunk) => (got += chunk));
			socket.write(head.replace("ACT", serving.tokens.read));
			await until(() => got.includes("event: live"), { what: `stream ${count}` });
			streams.push(socket);
		}
		await until(() => streams.slice(0, 4).every(({ closed }) => closed), { what: "the oldest to be closed" });
		expect(streams.slice(4).some(({ closed }) => closed)).toBe(false);
	});

	function opened({ port }: Serving): Socket {
		const socket = connect(port, "127.0.0.1");
		onTestFinished(() => void socket.destroy());
		return socket.on("error", () => undefined);
	}

	/** Sends raw text; resolves to everything that arrives until the connection ends. */
	function received(serving: Serving, text: string): Promise<string> {
		const socket = opened(serving);
		socket.write(text.replace("ACT", serving.tokens.act));
		return new Promise((resolve) => {
			let all = "";
			socket.on("data", (chunk) => (all += chunk));
			socket.once("close", () => resolve(all));
		});
	}
});
