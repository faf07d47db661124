export type NotificationWay = "osc9" | "osc99" | "osc777" | "bell";

export interface Notification {
	title: string;
	body: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Maps terminal names to notification sequences, as documented by kitty, iTerm2, WezTerm, Ghostty, foot,
 * Contour, Warp and rxvt-unicode.
 */
const BY_NAME: readonly (readonly [RegExp, NotificationWay])[] = [
	[/kitty/i, "osc99"],
	[/ghostty|wezterm|foot|contour|warp|rxvt/i, "osc777"],
	[/iterm/i, "osc9"],
];

export function wayByName(name: string): NotificationWay | undefined {
	return BY_NAME.find(([pattern]) => pattern.test(name))?.[1];
}

/** Inside tmux or GNU screen, only the bell is certain to reach the outer terminal. */
export function notificationWay(env: Environment): NotificationWay {
	const term = env["TERM"] ?? "";
	if (env["STY"] || env["TMUX"] || /^(screen|tmux)/.test(term)) return "bell";
	// The variable `TERM` is checked first, because the other variables may come from an outer terminal.
	return wayByName(term) ?? wayByName(env["TERM_PROGRAM"] || env["LC_TERMINAL"] || "") ?? "bell";
}

export function notificationBytes(way: NotificationWay, notification: Notification): string {
	const osc = (content: string) => `\x1b]${content}\x1b\\`;
	const [title, body] = [notification.title, notification.body].map((text) => text.replaceAll(";", ","));
	switch (way) {
		case "osc9":
			return osc(`9;${title}: ${body}`);
		case "osc99":
			// With `o=unfocused`, the terminal shows the notification only while its window is not focused.
			return `${osc(`99;i=pi-session-suite:d=0:o=unfocused;${title}`)}${osc(`99;i=pi-session-suite:d=1:p=body;${body}`)}`;
		case "osc777":
			return osc(`777;notify;${title};${body}`);
		case "bell":
			return "\x07";
	}
}

/** zellij shows no notifications, but it marks the tab of a program that rings the bell. */
export function notificationIn(env: Environment, notification: Notification): string {
	const bytes = notificationBytes(notificationWay(env), notification);
	return env["ZELLIJ"] === undefined || bytes === "\x07" ? bytes : `${bytes}\x07`;
}

/**
 * tmux passes a wrapped escape sequence on to the outer terminal (see `allow-passthrough` in
 * `tmux(1)`).
 */
export function throughTmux(bytes: string): string {
	return `\x1bPtmux;${bytes.replaceAll("\x1b", "\x1b\x1b")}\x1b\\`;
}
