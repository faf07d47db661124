/**
 * The thread that `startThread` in `thread.ts` starts. Because a thread has no loader for TypeScript, not even inside the host, this file is
 * JavaScript and loads the rest with jiti.
 */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { createJiti } from "jiti";

const jiti = createJiti(import.meta.url, { interopDefault: false, fsCache: join(tmpdir(), "jiti") });
const { summarizeFor } = await jiti.import("./thread.ts");
await summarizeFor(workerData, (batch) => parentPort.postMessage(batch));
