import { fileURLToPath } from "node:url";

const FILL_DISK = JSON.stringify(fileURLToPath(new URL("../support/full-disk.ts", import.meta.url)));

/** An extension that fills the disk inside the host: whatever is appended to a session is cut off after a piece of it. */
export const FULL_DISK = `import { fillDisk } from ${FILL_DISK};
export default () => void fillDisk((path) => path.includes("sessions"));`;
