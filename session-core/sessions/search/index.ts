export * from "./entry-text.ts";
export * from "./query.ts";
export { sum } from "./rank.ts";
export { placeName, type ReadEntry, readAround } from "./read.ts";
export * from "./search.ts";
export * from "./since.ts";
