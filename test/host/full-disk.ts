/** An extension by which, inside the host, the disk fills up in the middle of any line that is appended to a session. */
export const FULL_DISK = `import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
export default () => {
	const append = fs.appendFileSync;
	fs.appendFileSync = (path, data, ...rest) => {
		if (!String(path).includes("sessions")) return append(path, data, ...rest);
		append(path, String(data).slice(0, 60), ...rest);
		throw new Error("ENOSPC: no space left on device, write");
	};
	syncBuiltinESMExports();
};`;
