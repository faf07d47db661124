import { deflateSync, inflateSync } from "node:zlib";

const SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex");
const CHANNELS: Readonly<Record<number, number>> = { 2: 3, 6: 4 };

/**
 * A screenshot (8 bits a channel, opaque) as a PNG of few colours: a page has not many, and the shades at the edges of letters may
 * be rounded. A third of the bytes.
 */
export function smallPng(png: Buffer): Buffer {
	const { width, height, channels, data } = read(png);
	const pixels = unfiltered(data, width, height, channels);
	const { bytes, colours } = withPalette(pixels, channels);
	const rows = Buffer.alloc((width + 1) * height);
	for (let y = 0; y < height; y++) bytes.copy(rows, y * (width + 1) + 1, y * width, (y + 1) * width);
	const header = Buffer.alloc(13);
	header.writeUInt32BE(width, 0);
	header.writeUInt32BE(height, 4);
	header.set([8, 3, 0, 0, 0], 8);
	const parts = [
		chunk("IHDR", header),
		chunk(
			"PLTE",
			Buffer.from(colours.flatMap((colour) => [colour >> 16, (colour >> 8) & 0xff, colour & 0xff])),
		),
		chunk("IDAT", deflateSync(rows, { level: 9, memLevel: 9 })),
		chunk("IEND", Buffer.alloc(0)),
	];
	return Buffer.concat([SIGNATURE, ...parts]);
}

/** Colours that are kept as they are; few, because every other shade at the edge of a letter costs bytes. */
const KEPT = 64;

/** The most frequent colours, and for every other one the nearest of them. Colours are 0xRRGGBB. */
function withPalette(pixels: Buffer, channels: number): { bytes: Buffer; colours: number[] } {
	const counts = new Map<number, number>();
	const bytes = Buffer.alloc(pixels.length / channels);
	const colourAt = (at: number) => pixels.readUIntBE(at * channels, 3);
	for (let at = 0; at < bytes.length; at++) {
		const colour = colourAt(at);
		counts.set(colour, (counts.get(colour) ?? 0) + 1);
	}
	const colours = [...counts.entries()]
		.sort(([, one], [, other]) => other - one)
		.slice(0, KEPT)
		.map(([colour]) => colour);
	const places = new Map(colours.map((colour, place) => [colour, place]));
	for (let at = 0; at < bytes.length; at++) {
		const colour = colourAt(at);
		const place = places.get(colour) ?? nearest(colour, colours);
		places.set(colour, place);
		bytes[at] = place;
	}
	return { bytes, colours };
}

function nearest(colour: number, colours: readonly number[]): number {
	const distance = (other: number) =>
		[16, 8, 0].reduce((sum, shift) => sum + (((colour >> shift) & 0xff) - ((other >> shift) & 0xff)) ** 2, 0);
	return colours.reduce(
		(best, other, place) => (distance(other) < distance(colours[best] ?? 0) ? place : best),
		0,
	);
}

function read(png: Buffer): { width: number; height: number; channels: number; data: Buffer } {
	const parts: Buffer[] = [];
	let header = Buffer.alloc(13);
	for (let at = 8; at < png.length; ) {
		const length = png.readUInt32BE(at);
		const type = png.toString("latin1", at + 4, at + 8);
		const body = png.subarray(at + 8, at + 8 + length);
		if (type === "IHDR") header = Buffer.from(body);
		if (type === "IDAT") parts.push(body);
		at += length + 12;
	}
	const channels = CHANNELS[header[9] ?? 0];
	if (channels === undefined || header[8] !== 8)
		throw new Error("A screenshot of another kind than expected.");
	const data = inflateSync(Buffer.concat(parts));
	return { width: header.readUInt32BE(0), height: header.readUInt32BE(4), channels, data };
}

/** Undoes the filters of PNG (RFC 2083, section 6). */
function unfiltered(data: Buffer, width: number, height: number, channels: number): Buffer {
	const stride = width * channels;
	const out = Buffer.alloc(stride * height);
	for (let y = 0; y < height; y++) {
		const filter = data[y * (stride + 1)] ?? 0;
		for (let x = 0; x < stride; x++) {
			const at = y * stride + x;
			const left = x < channels ? 0 : (out[at - channels] ?? 0);
			const up = y === 0 ? 0 : (out[at - stride] ?? 0);
			const corner = x < channels || y === 0 ? 0 : (out[at - stride - channels] ?? 0);
			const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter] ?? 0;
			out[at] = ((data[y * (stride + 1) + 1 + x] ?? 0) + guess) & 0xff;
		}
	}
	return out;
}

function paeth(left: number, up: number, corner: number): number {
	const guess = left + up - corner;
	const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
	if (a <= b && a <= c) return left;
	return b <= c ? up : corner;
}

function chunk(type: string, body: Buffer): Buffer {
	const out = Buffer.alloc(body.length + 12);
	out.writeUInt32BE(body.length, 0);
	out.write(type, 4, "latin1");
	body.copy(out, 8);
	out.writeUInt32BE(crc(out.subarray(4, body.length + 8)), body.length + 8);
	return out;
}

/** The CRC-32 of PNG. */
function crc(bytes: Buffer): number {
	let value = 0xffffffff;
	for (const byte of bytes) {
		value ^= byte;
		for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
	}
	return (value ^ 0xffffffff) >>> 0;
}
