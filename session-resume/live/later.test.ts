import { expect, test } from "vitest";
import { notificationBytes } from "../../session-core/host/notification.ts";
import { notificationOf } from "./later.ts";

test("a notification holds no escape, no secret and no more than a line of the session's name", () => {
	const key = "ghp_x7Kq2mN9vB4tR8sW1yZ6cD3fG5hJ0kL2pQaE";
	const name = `\x1b]0;evil\x07\u202e\nUse ${key} ${"word ".repeat(100)}`;
	const notification = notificationOf(name, "Waiting for your answer");
	expect(notification.title).toMatch(/^pi: /);
	expect(notification.title).not.toMatch(/[\p{Cc}\u202e]/u);
	expect(notification.title).not.toContain(key);
	expect(notification.title.length).toBeLessThan(90);
	expect(notificationBytes("osc9", notification).match(/\p{Cc}/gu)).toEqual(["\x1b", "\x1b"]);
});
