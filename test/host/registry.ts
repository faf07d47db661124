import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { basename } from "node:path";
import { onTestFinished } from "vitest";

export interface PackedPackage {
	manifest: { name: string; version: string };
	/** Path of its `.tgz`. */
	tarball: string;
}

/** A package registry on loopback with these packages. Requests for all others are redirected to `upstream`. */
export async function testRegistry(packages: readonly PackedPackage[], upstream: string): Promise<string> {
	const server = createServer((request, response) => {
		const path = decodeURIComponent(request.url ?? "/").slice(1);
		const file = packages.find(({ tarball }) => path === `-/${basename(tarball)}`);
		const known = packages.find(({ manifest }) => path === manifest.name);
		if (file) response.end(readFileSync(file.tarball));
		else if (known) response.end(JSON.stringify(packument(known, `http://${request.headers.host}/-/`)));
		else response.writeHead(302, { location: `${upstream.replace(/\/$/, "")}${request.url}` }).end();
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	onTestFinished(() => new Promise<void>((resolve) => void server.close(() => resolve())));
	const address = server.address();
	if (address === null || typeof address === "string") throw new Error("the registry has no port");
	return `http://127.0.0.1:${address.port}/`;
}

/** The registry's document about a package with one version. */
function packument({ manifest, tarball }: PackedPackage, folder: string) {
	const integrity = `sha512-${createHash("sha512").update(readFileSync(tarball)).digest("base64")}`;
	const dist = { tarball: `${folder}${basename(tarball)}`, integrity };
	return {
		name: manifest.name,
		"dist-tags": { latest: manifest.version },
		versions: { [manifest.version]: { ...manifest, dist } },
	};
}
