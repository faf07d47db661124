export { createRequestSlot } from "./ask.ts";
export { describeFailure } from "./failure.ts";
export type { Trigger } from "./ledger.ts";
