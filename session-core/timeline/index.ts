export { renderTimeline } from "./render.ts";
export { ownLanguage } from "./timeline.ts";
