import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import {
	type ExtensionAPI,
	type ExtensionCommandContext,
	type ExtensionContext,
	getAgentDir,
} from "@mariozechner/pi-coding-agent";
import type { KeyId } from "@mariozechner/pi-tui";
import { background } from "../../text/background.ts";
import { isStale, lazily, warn } from "./start-work.ts";

/**
 * Copies of this package find each other through this event channel, so the channel's name must never
 * change.
 */
const COPIES = "pi-session-suite:copies";

interface CopyQuery {
	extension: string;
	by?: string;
}

/**
 * Returns the extensions that this copy of the package must register. pi refuses to start if two copies
 * register the same flag, so only the first loaded copy registers an extension.
 */
export function claimExtensions(
	pi: Pick<ExtensionAPI, "on" | "events">,
	entry: string,
	extensions: readonly string[],
): string[] {
	const own = fileURLToPath(entry);
	const queries = extensions.map((extension): CopyQuery => {
		const query: CopyQuery = { extension };
		pi.events.emit(COPIES, query);
		return query;
	});
	const taken = queries.filter(({ by }) => by !== undefined);
	const claimed = extensions.filter((one) => !taken.some(({ extension }) => extension === one));
	// pi's event bus keeps all listeners when extensions are reloaded, so this listener is removed explicitly.
	if (claimed.length > 0)
		pi.on(
			"session_shutdown",
			pi.events.on(COPIES, (asked) => {
				const other = asked as CopyQuery;
				if (claimed.includes(other.extension)) other.by ??= own;
			}),
		);
	const [first] = taken;
	if (!first) return claimed;
	const names = taken.map(({ extension }) => extension).join(", ");
	const text = `${names}: another copy is already loaded from ${first.by}, so the copy in ${own} is off. Run pi list to see both, and pi remove <source> to remove one.`;
	let isSaid = false;
	pi.on("session_start", ({ reason }, ctx) => {
		// In RPC mode, pi 0.73.1 emits `session_start` twice.
		if (!isSaid && (reason === "startup" || reason === "reload")) warn(ctx, text);
		isSaid = true;
	});
	return claimed;
}

export type FlagTable = Readonly<Record<string, readonly [type: "boolean" | "string", description: string]>>;

export type FlagValues = Readonly<Record<string, boolean | string | undefined>>;

export function registerFlags(
	pi: Pick<ExtensionAPI, "registerFlag" | "getFlag" | "on">,
	table: FlagTable,
): () => FlagValues {
	for (const [name, [type, text]] of Object.entries(table)) {
		const description = type === "boolean" ? `${text} (before a prompt, write --${name}=true)` : text;
		pi.registerFlag(name, { type, description });
	}
	pi.on("session_start", ({ reason }, ctx) => {
		if (reason !== "startup") return;
		for (const { flag, word } of swallowedWords(process.argv.slice(2), table)) {
			const text = `--${flag}: pi read "${word.replace(/\p{Cc}/gu, "").slice(0, 60)}" as the value of this flag, so it was not sent as a prompt. Write --${flag}=true, or put the prompt before the flag.`;
			warn(ctx, text);
		}
	});
	return () => Object.fromEntries(Object.keys(table).map((name) => [name, pi.getFlag(name)]));
}

/**
 * In `pi --recap-disable hello`, pi takes `hello` as the flag's value and drops it, so the word is read
 * from `argv`.
 */
export function swallowedWords(args: readonly string[], table: FlagTable): { flag: string; word: string }[] {
	const end = args.indexOf("--");
	const read = end < 0 ? args : args.slice(0, end);
	return read.flatMap((arg, at) => {
		const flag = arg.slice(2);
		const word = read[at + 1];
		if (!arg.startsWith("--") || table[flag]?.[0] !== "boolean" || word === undefined) return [];
		return /^(?:[-@]|(?:true|false)$)/.test(word) ? [] : [{ flag, word }];
	});
}

const loadTui = lazily(() => import("./tui.ts"));

type CommandOptions = Parameters<ExtensionAPI["registerCommand"]>[1] & {
	/**
	 * Without a user, as in print and JSON mode, the command only writes an error to stderr and sets the
	 * exit code to 1.
	 */
	needsUser?: boolean;
};

/**
 * Keeps a command such as `/recap` working if another package registers the same name. pi renames the
 * commands to `recap:1` and `recap:2` and would send `/recap` to the model as a prompt.
 */
export function registerOwnCommand(
	pi: Pick<ExtensionAPI, "registerCommand" | "getCommands" | "on">,
	name: string,
	{ needsUser = false, ...options }: CommandOptions,
): void {
	const handler: typeof options.handler = async (args, ctx) => {
		if (isStale(ctx)) return;
		if (!needsUser || ctx.hasUI) return options.handler(args, ctx);
		process.stderr.write(`${name}: /${name} needs a user, so it cannot run in print or JSON mode.\n`);
		process.exitCode = 1;
	};
	pi.registerCommand(name, { ...options, handler });
	pi.on("input", async ({ text, source }, ctx) => {
		if (source === "extension" || !(text === `/${name}` || text.startsWith(`/${name} `))) return undefined;
		const commands = pi.getCommands();
		const renamed = commands.find(
			(it) => it.name.startsWith(`${name}:`) && it.description === options.description,
		)?.name;
		if (!renamed || commands.some((it) => it.name === name)) return undefined;
		const args = text.slice(name.length + 2);
		const run = () => handler(args, withoutReplacement(ctx, renamed));
		if (!ctx.hasUI) await run();
		else
			setImmediate(() =>
				background(name, async () => {
					const { submitCommand } = await loadTui();
					if (!submitCommand(ctx.ui, `/${renamed} ${args}`.trimEnd())) await run();
				}),
			);
		return { action: "handled" };
	});
}

/**
 * An event handler's context lacks methods such as `newSession`. This function adds stubs that throw an
 * error, which names the command to type instead.
 */
function withoutReplacement(ctx: ExtensionContext, renamed: string): ExtensionCommandContext {
	const refuse = async () => {
		throw new Error(`another package has the same command; type /${renamed}`);
	};
	const methods = ["waitForIdle", "newSession", "fork", "navigateTree", "switchSession", "reload"];
	return Object.create(ctx, Object.fromEntries(methods.map((method) => [method, { value: refuse }])));
}

/**
 * Default keys that every terminal can send and that pi does not use (checked with pi 0.73.1 and
 * 0.87.1).
 */
export const SHORTCUTS = {
	recap: { key: "alt+r", description: "Show a recap of this session, or hide it" },
	card: { key: "alt+c", description: "Show this session's card, or hide it" },
	next: { key: "alt+n", description: "Put the next step into the editor" },
	board: { key: "alt+s", description: "Show all sessions" },
	waiting: { key: "alt+w", description: "Go to the next session that is waiting for you" },
} as const satisfies Readonly<Record<string, { key: KeyId; description: string }>>;

type ShortcutName = keyof typeof SHORTCUTS;

export type ShortcutKeys = Readonly<Record<ShortcutName, readonly KeyId[]>>;

const SHORTCUT_NAMES = Object.keys(SHORTCUTS) as ShortcutName[];
const ID_PREFIX = "session-suite.";
const IDS = SHORTCUT_NAMES.map((name) => ID_PREFIX + name);
/** Matches function keys and combinations with ctrl, alt or super. All other keys type or edit text. */
const KEY_PATTERN =
	/^(?:(?:ctrl|shift|alt|super)\+)*(?:f(?:[1-9]|1[0-2])|(?<=(?:ctrl|alt|super)\+(?:shift\+)*)\S+)$/;

/**
 * Reads keybindings.json directly, because pi silently ignores invalid entries and, after a reload, reads
 * the file only after `session_start`.
 */
export function readShortcuts(): ReturnType<typeof configuredKeys> {
	try {
		const text = readFileSync(`${getAgentDir()}/keybindings.json`, "utf8").replace(/^\uFEFF/, "");
		return configuredKeys({ ...JSON.parse(text) });
	} catch {
		// If keybindings.json is not valid JSON, pi itself reports the problem.
		return configuredKeys({});
	}
}

/**
 * A shortcut loses its default key if the user has bound that key to another action in
 * keybindings.json.
 */
export function configuredKeys(bindings: Readonly<Record<string, unknown>>): {
	keys: ShortcutKeys;
	/**
	 * Error messages about keybindings.json. The messages quote the file and may contain control
	 * characters.
	 */
	problems: string[];
} {
	const problems: string[] = [];
	const listOf = (id: string) => [bindings[id] ?? []].flat().map((key) => String(key).toLowerCase());
	const isOwn = (id: string) => id.startsWith(ID_PREFIX);
	const ids = Object.keys(bindings);
	const taken = ids.filter((id) => !isOwn(id)).flatMap(listOf);
	const keysOf = (name: ShortcutName): readonly string[] => {
		const id = ID_PREFIX + name;
		const { key } = SHORTCUTS[name];
		if (bindings[id] === undefined) return taken.includes(key) ? [] : [key];
		const list = listOf(id);
		if (list.every((one) => KEY_PATTERN.test(one))) return list;
		problems.push(
			`keybindings.json: "${id}" is ${JSON.stringify(bindings[id]).slice(0, 60)}, which is not valid. Use one key or a list of keys, or [] for none. Each key must be a function key or include ctrl, alt or super, such as "${key}". Until this is fixed, ${key} is used.`,
		);
		return [key];
	};
	const keys = Object.fromEntries(SHORTCUT_NAMES.map((name) => [name, keysOf(name)])) as ShortcutKeys;
	for (const id of ids.filter((one) => isOwn(one) && !IDS.includes(one)))
		problems.push(`keybindings.json: unknown name "${id.slice(0, 60)}". Valid names: ${IDS.join(", ")}.`);
	return { keys, problems };
}

/** pi binds keys only when a session starts, so later changes to keybindings.json are not shown. */
let registered: ShortcutKeys | undefined;

/** Must be called during `session_start`, because pi collects all shortcuts right after that event. */
export function registerShortcuts(
	pi: Pick<ExtensionAPI, "registerShortcut">,
	runs: Partial<Record<ShortcutName, (ctx: ExtensionContext) => void>>,
): void {
	const { keys } = readShortcuts();
	registered = keys;
	for (const name of SHORTCUT_NAMES) {
		const handler = runs[name];
		const { description } = SHORTCUTS[name];
		if (!handler) continue;
		const run = (ctx: ExtensionContext) => (isStale(ctx) ? undefined : handler(ctx));
		for (const key of keys[name]) pi.registerShortcut(key, { description, handler: run });
	}
}

export function keyHelp(name: ShortcutName): string[] {
	const bound = (registered ?? readShortcuts().keys)[name].join(", ");
	const how = `to change the key, set "${ID_PREFIX}${name}" in keybindings.json`;
	return bound === "" ? [] : [`${bound}: ${SHORTCUTS[name].description} (${how})`];
}
