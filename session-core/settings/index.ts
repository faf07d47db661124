export * from "./load-settings.ts";
