import { get } from "node:http";
import { expect, test } from "vitest";
import { main } from "../../bin/main.ts";
import type { LogFields } from "../../session-core/text/debug-log.ts";
import { session, until } from "../host/index.ts";
import { testFolder, testServing } from "./serving.ts";

function placed() {
	const folder = testFolder();
	folder.put(
		"aaaa0001",
		session({ id: "aaaa0001" })
			.user("Which queue?")
			.assistant(`We chose the SQLite queue. ${"sk-proj-"}${"a1B2c3D4".repeat(6)}`)
			.build(),
	);
	const other = session({ id: "aaaa0002", cwd: "/other" }).user("Another queue").assistant("Done.").build();
	folder.put("aaaa0002", other, { cwd: "/other" });
	return folder;
}

test("GET /v1/search returns what pi-sessions search --json prints, and needs only the read-only token", async () => {
	const folder = placed();
	const serving = await testServing(folder);
	const { status, json, text } = await serving.ask("/v1/search?q=sqlite+queue", {
		token: serving.tokens.read,
	});
	expect(status).toBe(200);
	let printed = "";
	const out = { write: (part: string) => (printed += part) };
	const place = { env: { LANG: "C" }, cwd: "/nowhere", agentDir: folder.path, sessionDir: undefined };
	await main(["search", "sqlite", "queue", "--all", "--json"], { ...place, now: Date.now, out, err: out });
	expect(json).toEqual(JSON.parse(printed));
	expect(text).not.toContain("a1B2c3D4");
});

test("a search can be limited to a folder, a time and a number of hits; other parameters are refused", async () => {
	const folder = placed();
	const serving = await testServing(folder);
	const ids = async (more: string) => {
		const { json } = await serving.ask(`/v1/search?q=queue${more}`);
		return json.hits.map((hit: { session: { id: string } }) => hit.session.id);
	};
	expect(new Set(await ids(""))).toEqual(new Set(["aaaa0001", "aaaa0002"]));
	expect(await ids("&project=%2Fother")).toEqual(["aaaa0002"]);
	expect(await ids("&limit=1")).toHaveLength(1);
	expect(await ids("&since=1m")).toEqual([]);
	for (const query of ["", "q=", "q=x&limit=0", "q=x&limit=101", "q=x&since=soon", "q=x&regex=1"]) {
		const { status, json } = await serving.ask(`/v1/search?${query}`);
		expect([query, status, json.error.reason]).toEqual([query, 422, "invalid"]);
	}
	expect((await serving.ask("/v1/search?q=queue", { token: "" })).status).toBe(401);
});

test("a search through a large session leaves the server responsive, and ends when its client disconnects", async () => {
	const folder = placed();
	const line = JSON.stringify({ type: "custom", id: "x", parentId: null, data: "que ".repeat(3_000) });
	const builder = session({ id: "bbbb0001" }).user("Big one").assistant("The last queue.").build();
	const [header = "", ...entries] = builder.split("\n");
	folder.put("bbbb0001", [header, ...Array(6_000).fill(line), ...entries].join("\n"));
	const searches: LogFields[] = [];
	const serving = await testServing(folder, { log: (_event, fields) => searches.push(fields) });
	await serving.ask("/v1/sessions");
	const path = "/v1/search?q=queue";
	const searching = serving.ask(path);
	await serving.ask("/health");
	expect(searches).toEqual([]);
	expect((await searching).json.hits.length).toBeGreaterThan(0);
	const headers = { authorization: `Bearer ${serving.tokens.read}` };
	const leaving = get({ port: serving.port, host: "127.0.0.1", path, headers, agent: false });
	leaving.on("error", () => undefined);
	await new Promise<void>((resolve) => leaving.end(resolve));
	await serving.ask("/health");
	leaving.destroy();
	await until(() => searches.length === 2, "the end of the search");
	expect(searches.map(({ complete }) => complete)).toEqual([true, false]);
});
