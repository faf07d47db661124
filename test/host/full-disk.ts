import { fileURLToPath } from "node:url";

const FILL_DISK = JSON.stringify(fileURLToPath(new URL("../support/full-disk.ts", import.meta.url)));

/** An extension that simulates a full disk in the host: every append to a session is cut off. */
export const FULL_DISK = `import { fillDisk } from ${FILL_DISK};
export default () => void fillDisk((path) => path.includes("sessions"));`;
