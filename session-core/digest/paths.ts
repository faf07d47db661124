/** How paths are named in a digest: relative to the session's folder where they are below it, else as the log has them. */
export type PathNamer = (path: string) => string;

/**
 * A namer for a session that ran in `cwd`. Tool calls name one file in several ways (absolute, relative, with `./`); facts
 * about it belong together.
 */
export function pathNamer(cwd: string | undefined): PathNamer {
	const root = cwd ? trimSlash(cwd) : undefined;
	const home = root ? homeOf(root) : undefined;
	return (path) => {
		const clean = trimSlash(path.trim().replace(/^@/, "").replace(/\\/g, "/"));
		const full = home && clean.startsWith("~/") ? `${home}${clean.slice(1)}` : clean;
		if (root && root !== "" && full.startsWith(`${root}/`)) return full.slice(root.length + 1);
		if (home && full.startsWith(`${home}/`)) return `~${full.slice(home.length)}`;
		return full.replace(/^(?:\.\/)+/, "");
	};
}

function trimSlash(path: string): string {
	return path.length > 1 ? path.replace(/\/+$/, "") : path;
}

/** The user's home as far as the session's folder shows it: the log may come from another machine. */
function homeOf(root: string): string | undefined {
	return root.match(/^(?:\/(?:Users|home)\/[^/]+|\/root|[A-Za-z]:\/Users\/[^/]+)(?=\/|$)/)?.[0];
}

/** The last part of a path. */
export function baseName(path: string): string {
	return path.slice(path.lastIndexOf("/") + 1);
}
