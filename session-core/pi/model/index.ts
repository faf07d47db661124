export * from "./ask.ts";
export * from "./budget.ts";
export * from "./choose-model.ts";
export * from "./failure.ts";
export * from "./ledger.ts";
export * from "./side-call.ts";
