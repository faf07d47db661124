import { execFile, execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { say } from "./host/answer.ts";
import { testHost, testOnce, testRpc, testWorld } from "./host/in-test.ts";
import { IS_NEWER_HOST, PROJECT_ROOT } from "./host/launch.ts";
import type { RpcHost } from "./host/rpc-host.ts";
import { type RunOptions, runHost } from "./host/run-host.ts";
import type { Sandbox } from "./host/sandbox.ts";
import { yesterdaySession } from "./host/yesterday-session.ts";

const DIST = join(PROJECT_ROOT, "dist");
const MANIFEST = JSON.parse(readFileSync(join(PROJECT_ROOT, "package.json"), "utf8"));
/** The packages, each with a command that only it has. */
const EXTENSIONS = {
	"session-recap": "recap",
	"session-title": "rename",
	"session-resume": "recap-card",
	"session-recall": "recall",
} as const;
const SUITE = "pi-session-suite";
const NAMES = [...Object.keys(EXTENSIONS).map((name) => `pi-${name}`), SUITE];

const RECAP = say("<recap>Fixing src/parse-date.js for invalid days.</recap>");
/** The card with the recap in it, which needs both extensions. */
const SHARED_CARD = /▤ session card[\s\S]*Fixing src\/parse-date\.js for invalid days\./;

/** Timeout in milliseconds for a start during which the loader compiles new bundles. */
const SLOW_MS = 300_000;

/** Windows refuses `<>:"|?*`, and names that end in a dot. */
const NAME_ON_ANY_SYSTEM = /^[\w.-]*[\w-]$/;

/** A program that imports bundles, and prints which commands each of them registers. */
const REGISTER = `
const commands = [];
for (const url of process.argv.slice(1)) {
	const own = [];
	const methods = { registerCommand: (name) => own.push(name), events: { emit() {}, on: () => () => {} } };
	const { default: register } = await import(url);
	register(new Proxy(methods, { get: (known, name) => known[name] ?? (() => undefined) }));
	commands.push(own);
}
console.log(JSON.stringify(commands));
`;

/** Not synchronous: the test runner fails if a worker is silent for a minute. */
const run = promisify(execFile);

beforeAll(async () => {
	await run(process.execPath, [join(PROJECT_ROOT, "scripts/pack.mjs")], { cwd: PROJECT_ROOT });
});

function tarballOf(name: string): string {
	return join(DIST, `${name}-${MANIFEST.version}.tgz`);
}

function filesIn(name: string): string[] {
	const list = execFileSync("tar", ["-tzf", tarballOf(name)], { encoding: "utf8" });
	return list
		.trim()
		.split("\n")
		.map((path) => path.replace(/^package\//, ""))
		.sort();
}

function unpack(name: string, folder: string): string {
	mkdirSync(folder, { recursive: true });
	execFileSync("tar", ["-xzf", tarballOf(name), "-C", folder, "--strip-components=1"]);
	return folder;
}

function textIn(name: string, path: string): string {
	return execFileSync("tar", ["-xzOf", tarballOf(name), `package/${path}`], { encoding: "utf8" });
}

/** A registry with our packages, which redirects all other requests to the configured registry. */
async function testRegistry(): Promise<string> {
	const upstream = execFileSync("npm", ["config", "get", "registry"], { encoding: "utf8" }).trim();
	const server = createServer((request, response) => {
		const path = decodeURIComponent(request.url ?? "/").slice(1);
		const file = NAMES.map(tarballOf).find((tarball) => path === `-/${basename(tarball)}`);
		if (file) response.end(readFileSync(file));
		else if (!NAMES.includes(path))
			response.writeHead(302, { location: `${upstream.replace(/\/$/, "")}${request.url}` }).end();
		else {
			const { version } = MANIFEST;
			const sum = createHash("sha512")
				.update(readFileSync(tarballOf(path)))
				.digest("base64");
			const tarball = `http://${request.headers.host}/-/${basename(tarballOf(path))}`;
			const manifest = JSON.parse(textIn(path, "package.json"));
			const versions = { [version]: { ...manifest, dist: { tarball, integrity: `sha512-${sum}` } } };
			response.end(JSON.stringify({ name: path, "dist-tags": { latest: version }, versions }));
		}
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	onTestFinished(() => void server.close());
	const address = server.address();
	return `http://127.0.0.1:${typeof address === "object" && address?.port}/`;
}

function isNetworkSetting(pair: [string, string | undefined]): pair is [string, string] {
	return (
		pair[1] !== undefined && /^(?:https?_proxy|no_proxy|node_extra_ca_certs|ssl_cert_file)$/i.test(pair[0])
	);
}

/** Where hosts install packages: npm's global folder up to 0.74, a folder of pi's own since then. */
const moduleFolders = ({ root, agentDir }: Sandbox) => [
	join(root, "npm/lib/node_modules"),
	join(agentDir, "npm/node_modules"),
];

function installed(sandbox: Sandbox): { listed: unknown; onDisk: string[] } {
	const settings = JSON.parse(readFileSync(join(sandbox.agentDir, "settings.json"), "utf8"));
	const onDisk = moduleFolders(sandbox)
		.filter((folder) => existsSync(folder))
		.flatMap((folder) => readdirSync(folder))
		.filter((name) => name.startsWith("pi-session"));
	return { listed: settings.packages ?? [], onDisk };
}

/** The environment for installations: the configured registry, perhaps through a proxy. */
async function installing({ root }: Sandbox): Promise<Record<string, string>> {
	return {
		...Object.fromEntries(Object.entries(process.env).filter(isNetworkSetting)),
		npm_config_registry: await testRegistry(),
		npm_config_prefix: join(root, "npm"),
	};
}

async function pi(args: string[], options: RunOptions): Promise<void> {
	const ended = await runHost(args, { ...options, extensions: [], deadlineMs: SLOW_MS });
	expect([args, ended.code, ended.code === 0 ? "" : ended.stderr]).toEqual([args, 0, ""]);
}

/** Our commands, in the order of `EXTENSIONS`. Two copies get names such as `recap:1`. */
async function commandsOf(rpc: RpcHost): Promise<string[]> {
	const { data } = await rpc.request({ type: "get_commands" });
	const { commands } = data as { commands: { name: string }[] };
	return Object.values<string>(EXTENSIONS).flatMap((command) =>
		commands.map(({ name }) => name).filter((name) => name.split(":", 1)[0] === command),
	);
}

testOnce("host packages are only optional peers of any version", () => {
	for (const [name, range] of Object.entries(MANIFEST.peerDependencies))
		expect([name, range, MANIFEST.peerDependenciesMeta[name]]).toEqual([name, "*", { optional: true }]);
	// pi 1.x warns at every start of a package that has one of its own packages, TypeBox included, in
	// `dependencies`.
	expect(Object.keys(MANIFEST.dependencies)).not.toContainEqual(expect.stringMatching(/^typebox$|\/pi-/));
});

describe("the packed packages", { timeout: 2 * SLOW_MS }, () => {
	testOnce.each(NAMES)(
		"%s links only to files that it contains, and a bundle contains no other files",
		(name) => {
			const files = filesIn(name);
			const links = files
				.filter((path) => path.endsWith(".md"))
				.flatMap((path) =>
					[...textIn(name, path).matchAll(/(?:\]\(|\bsrc(?:set)?=")([^)"\s#]+)/g)]
						.map(([, target = ""]) => target)
						.filter((target) => !/^https?:/.test(target))
						.map((target) => join(dirname(path), target)),
				);
			expect(links.filter((target) => !files.includes(target))).toEqual([]);
			if (name === SUITE) {
				expect(files.join("\n")).not.toMatch(/\.test\.|test-support|^(?:test|bench|demo|scripts)\//m);
				return;
			}
			const own = ["CHANGELOG.md", "LICENSE", "README.md", "index.js", "package.json"];
			const pictures = links.filter((target) => target.startsWith("images/"));
			expect(files).toEqual([...new Set([...own, ...pictures])].sort());
		},
	);

	testOnce("each extension's bundle registers only its own commands", async () => {
		const bundles = Object.keys(EXTENSIONS).map((name) => pathToFileURL(join(DIST, name, "index.js")).href);
		// The loader is not needed: the host's packages are found in this repository.
		const { stdout } = await run(process.execPath, ["--input-type=module", "-e", REGISTER, ...bundles]);
		expect(JSON.parse(stdout)).toEqual([
			["recap"],
			["rename"],
			["sessions", "recap-card", "resume-here", "resume-from", "today"],
			["recall"],
		]);
	});

	describe.skipIf(IS_NEWER_HOST)("without an installation", () => {
		// One folder for all tests: the loader compiles a bundle anew for each path.
		const folder = mkdtempSync(join(tmpdir(), "unpacked-"));
		const copies = ["session-recap", "session-resume"].map((name) => join(folder, name));
		beforeAll(() => {
			for (const copy of copies) unpack(`pi-${basename(copy)}`, copy);
		});
		afterAll(() => rmSync(folder, { recursive: true, force: true }));

		test("separate packages work together", async () => {
			const rpc = await testRpc({
				extensions: copies,
				args: ["-c"],
				sessions: [yesterdaySession],
				script: (model) => model.always("recap", RECAP),
				deadlineMs: SLOW_MS,
			});
			expect(await commandsOf(rpc)).toEqual(["recap", "recap-card"]);
			await rpc.waitFor((line) => SHARED_CARD.test(JSON.stringify(line)), "the card with the recap", SLOW_MS);
		});

		test("of two copies of an extension, the first one is used, whatever their versions", async () => {
			const single = copies[0] ?? "";
			const manifest = JSON.parse(textIn("pi-session-recap", "package.json"));
			writeFileSync(join(single, "package.json"), JSON.stringify({ ...manifest, version: "9.8.7" }));
			const args = ["--recap-idle-seconds", "7"];
			const rpc = await testRpc({ extensions: [single, PROJECT_ROOT], args, deadlineMs: SLOW_MS });
			expect(await commandsOf(rpc)).toEqual(Object.values(EXTENSIONS));
			const { message } = await rpc.waitFor(
				(line) => String(line.message).includes("another copy"),
				"the message",
			);
			const said =
				/^session-recap: another copy is already loaded from (.*), so the copy in (.*) is off\. Run pi list/;
			const [, used, off] = said.exec(String(message)) ?? [];
			expect([used, off].map((path = "") => dirname(path))).toEqual([single, PROJECT_ROOT]);
			expect(rpc.raw.split("another copy")).toHaveLength(2);
		});
	});

	test("the suite is installed with its libraries, works with and without them, and `pi remove` leaves no trace", async () => {
		const { model, sandbox } = await testWorld({ sessions: [yesterdaySession] });
		model.always("recap", RECAP);
		const env = await installing(sandbox);
		const shared = { model, sandbox, extensions: [], env };
		await pi(["install", "npm:pi-session-suite"], shared);
		expect(installed(sandbox)).toEqual({ listed: ["npm:pi-session-suite"], onDisk: [SUITE] });
		const home = moduleFolders(sandbox).find((folder) => existsSync(join(folder, SUITE))) ?? "";
		// The loader compiles all modules anew for this path. Only newer hosts complain about a package's
		// libraries, so only they load it.
		if (IS_NEWER_HOST) await worksInstalled(home);
		await pi(["remove", "npm:pi-session-suite"], shared);
		expect(installed(sandbox)).toEqual({ listed: [], onDisk: [] });
		if (IS_NEWER_HOST) await worksUnpacked(join(home, SUITE));

		async function start(extensions: string[]) {
			const host = await testHost({ ...shared, extensions, args: ["-c"], rows: 70 });
			await host.screen.waitFor(SHARED_CARD, "the card with the recap", SLOW_MS);
			expect(host.screen.scrollback()).not.toMatch(/warning|extension issues/i);
			return host;
		}

		async function worksInstalled(modules: string) {
			const program = join(modules, SUITE, "bin/pi-sessions.mjs");
			const list = await run(process.execPath, [program, "list", "--json"], {
				cwd: sandbox.cwd,
				env: { ...process.env, PI_CODING_AGENT_DIR: sandbox.agentDir },
			});
			expect(JSON.parse(list.stdout).sessions).toHaveLength(1);
			await (await start([])).dispose();
		}

		async function worksUnpacked(folder: string) {
			const settings = '{\n  // mine\n  "debug": true,\n}\n';
			writeFileSync(join(sandbox.agentDir, "session-suite.json"), settings);
			const host = await start([unpack(SUITE, folder)]);
			await host.submit("/recap off", /automatic recaps are off\./);
			const own = join(sandbox.agentDir, "session-suite");
			const written = readdirSync(own, { recursive: true, encoding: "utf8" });
			expect(written.filter((path) => !NAME_ON_ANY_SYSTEM.test(basename(path)))).toEqual([]);
		}
	});
});
