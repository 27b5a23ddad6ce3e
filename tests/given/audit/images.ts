/** The first bytes of images, up to their size. */

const text = (value: string): number[] => [...value].map((character) => character.charCodeAt(0));
const big = (value: number): number[] => [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];
const big16 = (value: number): number[] => [value >>> 8, value & 255];
const little16 = (value: number): number[] => big16(value).reverse();

export function png(width: number, height: number): Uint8Array {
  return Uint8Array.from([
    0x89,
    ...text('PNG\r\n\x1a\n'),
    ...big(13),
    ...text('IHDR'),
    ...big(width),
    ...big(height),
    8,
    6,
    0,
    0,
    0,
  ]);
}

export function gif(width: number, height: number): Uint8Array {
  return Uint8Array.from([...text('GIF89a'), ...little16(width), ...little16(height), 0, 0, 0]);
}

/** With a segment of `before` bytes ahead of the frame header, as cameras write one. */
export function jpeg(width: number, height: number, before = 20): Uint8Array {
  const comment = [0xff, 0xe1, ...big16(before + 2), ...Array.from({ length: before }, () => 0)];
  return Uint8Array.from([
    0xff,
    0xd8,
    ...comment,
    0xff,
    0xff,
    0xc2,
    ...big16(17),
    8,
    ...big16(height),
    ...big16(width),
    3,
    0,
    0,
    0,
  ]);
}

export function webp(width: number, height: number, chunk: 'VP8 ' | 'VP8L' | 'VP8X'): Uint8Array {
  const size24 = (value: number): number[] => [(value - 1) & 255, ((value - 1) >>> 8) & 255, (value - 1) >>> 16];
  const packed = ((width - 1) | ((height - 1) << 14)) >>> 0;
  const inside = {
    'VP8 ': [0, 0, 0, 0x9d, 0x01, 0x2a, ...little16(width), ...little16(height)],
    VP8L: [0x2f, ...big(packed).reverse(), 0, 0, 0, 0, 0],
    VP8X: [0, 0, 0, 0, ...size24(width), ...size24(height)],
  }[chunk];
  return Uint8Array.from([...text('RIFF'), 0, 0, 0, 0, ...text(`WEBP${chunk}`), 0, 0, 0, 0, ...inside]);
}

export function avif(width: number, height: number): Uint8Array {
  const padding = Array.from({ length: 24 }, () => 0);
  return Uint8Array.from([
    ...big(24),
    ...text('ftypavif'),
    ...padding,
    ...text('ispe'),
    ...big(0),
    ...big(width),
    ...big(height),
    ...padding,
  ]);
}
