import { describe, expect, test } from "vitest";
import { EventHub, type Sink } from "./stream.ts";

class FakeSink implements Sink {
	text = "";
	buffered = 0;
	destroyed = false;
	write(bytes: Uint8Array): void {
		this.text += Buffer.from(bytes).toString();
	}
	destroy(): void {
		this.destroyed = true;
	}
}

describe("the hub", () => {
	test("drops a client that takes nothing, and no other", () => {
		const hub = new EventHub({ maxBuffered: 100 });
		const [slow, fast] = [new FakeSink(), new FakeSink()];
		for (const sink of [slow, fast]) hub.join(sink, undefined, () => ({}));
		slow.buffered = 101;
		hub.broadcast("live", { n: 1 });
		expect([slow.destroyed, fast.destroyed, hub.size, hub.dropped]).toEqual([true, false, 1, 1]);
		expect(slow.text).not.toContain("live");
		hub.close();
		expect([fast.destroyed, hub.size]).toEqual([true, 0]);
	});

	test("remembers so many events and no more: one that missed more is greeted anew", () => {
		const hub = new EventHub({ replay: 2 });
		const first = new FakeSink();
		hub.join(first, undefined, () => "start");
		const id = /id: (\S+)/.exec(first.text)?.[1] ?? "";
		for (const n of [1, 2]) hub.broadcast("live", n);
		const near = new FakeSink();
		hub.join(near, id, () => "start");
		expect(near.text.match(/data: .*/g)).toEqual(["data: 1", "data: 2"]);
		hub.broadcast("live", 3);
		const far = new FakeSink();
		hub.join(far, id, () => "start");
		expect(far.text).toContain('data: "start"');
		hub.close();
	});

	test("what is told is one line, whatever is in it", () => {
		const hub = new EventHub();
		const sink = new FakeSink();
		hub.join(sink, undefined, () => ({ title: "a\n\ndata: forged\r\nid: 7" }));
		expect(sink.text.trimEnd().split("\n")).toHaveLength(3);
		hub.close();
	});
});
