import { expect, test } from "vitest";
import { notificationBytes } from "../../session-core/pi/host/notification.ts";
import { notificationOf, TabTitle } from "./attention.ts";

function tab(fields: { name?: string; on?: boolean } = {}) {
	const now = { name: fields.name, on: fields.on ?? true };
	const titles: string[] = [];
	const title = new TabTitle({
		ui: { setTitle: (text) => void titles.push(text) },
		manager: { getSessionName: () => now.name, getCwd: () => "/code/app" },
		isOn: () => now.on,
	});
	return { now, titles, title };
}

test("nothing is written if the setting is off, and turning it off restores the host's title", () => {
	const off = tab({ on: false });
	off.title.show("failed");
	off.title.show("idle");
	expect(off.titles).toEqual([]);
	const { now, titles, title } = tab();
	title.show("working");
	now.on = false;
	title.show("failed");
	title.show("idle");
	expect(titles).toEqual(["● app", "π - app"]);
});

test("titles and notifications contain no escape sequence, no secret, and at most one line of the session's name", () => {
	const key = "ghp_x7Kq2mN9vB4tR8sW1yZ6cD3fG5hJ0kL2pQaE";
	const name = `\x1b]52;c;aGk=\x07\u202e\nUse ${key} ${"word ".repeat(100)}`;
	const { titles, title } = tab({ name });
	title.show("waiting");
	title.show("idle");
	const notification = notificationOf(name, "Waiting for your answer");
	expect(notification.title).toMatch(/^pi: /);
	for (const text of [...titles, notification.title]) {
		expect(text).not.toMatch(/[\p{Cc}\u202e]/u);
		expect(text).not.toContain(key);
		expect(text.length).toBeLessThan(100);
	}
	expect(notificationBytes("osc9", notification).match(/\p{Cc}/gu)).toEqual(["\x1b", "\x1b"]);
});
