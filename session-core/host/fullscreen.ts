/** A raw listener, as the host's `onTerminalInput` takes it. */
export type InputListener = (data: string) => { consume?: boolean; data?: string } | undefined;

/**
 * Whether the host paints on the alternate screen, with scrolling and a mouse of its own (0.87.1: `--tui-mode fullscreen`,
 * setting `tuiMode`, `/settings`). It then switches focus reports (DECSET 1004) on and off itself, needs them to end a drag,
 * and keeps them and the mouse's from whoever listens after it. Hosts without that mode have no such field.
 */
export function isFullscreen(tui: object): boolean {
	return Reflect.get(tui, "mode") === "fullscreen";
}

/**
 * Let a listener that the host already has hear what comes in before the others do, the host's own among them. There is no
 * call for that, so the host's set is put in a new order; where it is none, the listener stays where it is.
 */
export function hearFirst(tui: object, listener: InputListener): void {
	const listeners: unknown = Reflect.get(tui, "inputListeners");
	if (!(listeners instanceof Set) || !listeners.has(listener)) return;
	const inOrder = [listener, ...listeners];
	listeners.clear();
	for (const it of inOrder) listeners.add(it);
}
