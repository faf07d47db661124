import { posix } from "node:path";

/**
 * Shortens a path. A path in the session's folder becomes relative, and a path in the home folder begins
 * with `~`.
 */
export type PathNamer = (path: string) => string;

/**
 * Returns a function that always gives a file the same name, even if tool calls use different paths for
 * the file, for example relative and absolute paths.
 */
export function pathNamer(cwd: string | undefined): PathNamer {
	if (!latest || latest.cwd !== cwd) latest = { cwd, namer: makeNamer(cwd) };
	return latest.namer;
}

/**
 * Keeps the most recent path namer and reuses it for the same folder, because callers use the namer as
 * a cache key.
 */
let latest: { cwd: string | undefined; namer: PathNamer } | undefined;

function makeNamer(cwd: string | undefined): PathNamer {
	const root = cwd ? trimSlash(withSlashes(cwd)) : undefined;
	const home = root ? homeOf(root) : undefined;
	return (path) => {
		const clean = trimSlash(withSlashes(path.trim().replace(/^@/, "")));
		const full = resolved(home && clean.startsWith("~/") ? `${home}${clean.slice(1)}` : clean, root);
		if (root && full.startsWith(`${root}/`)) return full.slice(root.length + 1);
		if (home && full.startsWith(`${home}/`)) return `~${full.slice(home.length)}`;
		return full;
	};
}

function withSlashes(path: string): string {
	return path.replace(/\\/g, "/").replace(/^[a-z]:\//, (drive) => drive.toUpperCase());
}

function resolved(path: string, root: string | undefined): string {
	if (path === "" || path.includes("://")) return path;
	return posix.normalize(root && path.startsWith("../") ? `${root}/${path}` : path);
}

function trimSlash(path: string): string {
	return path.length > 1 ? path.replace(/\/+$/, "") : path;
}

function homeOf(root: string): string | undefined {
	return root.match(/^(?:\/(?:Users|home)\/[^/]+|\/root|[A-Za-z]:\/Users\/[^/]+)(?=\/|$)/)?.[0];
}

export function baseName(path: string): string {
	return path.slice(path.lastIndexOf("/") + 1);
}

export function shortPath(path: string): string {
	return path.split(/[/\\]/).slice(-2).join("/");
}

/**
 * Returns true if `text` mentions a file by its name or by a similar identifier, such as
 * `SessionDetector` for `session_detector.go`.
 */
export function namesFile(text: string, path: string): boolean {
	const name = baseName(path);
	if (name.length > 3 && text.includes(name)) return true;
	const stem = name.replace(/\.\w+$/, "");
	if (stem.length <= 6 || !/[-_]|[a-z][A-Z]/.test(stem)) return false;
	return squeeze(text).includes(squeeze(stem));
}

function squeeze(text: string): string {
	return text.replace(/[-_]/g, "").toLowerCase();
}

const URL_LENGTH = 60;
const URL_OR_PATH = /https?:\/\/[^\s<>"'`]+|(@?)(?:~?\/)?(?:[\w.@-]+\/){2,}([\w.-]+\.\w+)/g;

/**
 * Shortens each path in a message to its last component. A long URL keeps its host, as in
 * `https://example.org/…/page`.
 */
export function withShortPaths(text: string): string {
	return text.replace(URL_OR_PATH, (match: string, mark = "", name = "") =>
		name === "" ? shortUrl(match) : mark + name,
	);
}

function shortUrl(url: string): string {
	if (url.length <= URL_LENGTH) return url;
	const end = /[.,;:!)]?$/.exec(url)?.[0] ?? "";
	const [address = ""] = url.slice(0, url.length - end.length).split(/[?#]/, 1);
	const [scheme, , host, ...folders] = address.split("/");
	const name = folders.findLast((one) => one !== "");
	return name === undefined ? url : `${scheme}//${host}/…/${name}${end}`;
}
