import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";

/** An extension of pi that makes the suite fail whenever the suite shows a recap or a title. */
export default function faultyWidgets(pi: ExtensionAPI): void {
	pi.on("session_start", (_event, { ui }) => {
		const { setWidget } = ui;
		ui.setWidget = (key: string, ...content: unknown[]) => {
			if (/^session-(?:recap|title)/.test(key) && content[0] !== undefined)
				throw new TypeError(`injected into ${key}`);
			Reflect.apply(setWidget, ui, [key, ...content]);
		};
	});
}
