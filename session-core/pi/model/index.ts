export * from "./ask.ts";
export * from "./choose-model.ts";
export * from "./effort.ts";
export * from "./failure.ts";
export * from "./ledger.ts";
export * from "./price.ts";
export * from "./reserve-cost.ts";
export * from "./side-call.ts";
