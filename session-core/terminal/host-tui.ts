import type { ExtensionUIContext } from "@mariozechner/pi-coding-agent";
import type { TUI } from "@mariozechner/pi-tui";

/**
 * The host's TUI, or undefined where there is no terminal: the host hands it to widget factories only, and RPC mode
 * drops factories. `key` names a widget that the caller uses for nothing else.
 */
export function hostTui(ui: Pick<ExtensionUIContext, "setWidget">, key: string): TUI | undefined {
	let found: TUI | undefined;
	ui.setWidget(key, (tui) => {
		found = tui;
		return { render: () => [], invalidate: () => undefined };
	});
	ui.setWidget(key, undefined);
	return found;
}
