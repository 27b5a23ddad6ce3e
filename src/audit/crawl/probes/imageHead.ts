/** Image format and size from the first bytes of a file, without decoding it. */
import type { ImageHead } from '../site.ts';

export function imageHead(bytes: Uint8Array): ImageHead | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return png(view) ?? gif(view) ?? jpeg(view) ?? webp(view) ?? avif(view) ?? svg(bytes);
}

function ascii(view: DataView, at: number, length: number): string {
  if (at + length > view.byteLength) return '';
  return String.fromCharCode(...new Uint8Array(view.buffer, view.byteOffset + at, length));
}

function png(view: DataView): ImageHead | null {
  if (view.byteLength < 24 || ascii(view, 1, 3) !== 'PNG' || ascii(view, 12, 4) !== 'IHDR') return null;
  return { format: 'png', width: view.getUint32(16), height: view.getUint32(20) };
}

function gif(view: DataView): ImageHead | null {
  if (view.byteLength < 10 || ascii(view, 0, 4) !== 'GIF8') return null;
  return { format: 'gif', width: view.getUint16(6, true), height: view.getUint16(8, true) };
}

/** Walks the segments to the frame header, which may be beyond the available bytes. */
function jpeg(view: DataView): ImageHead | null {
  if (view.byteLength < 4 || view.getUint16(0) !== 0xffd8) return null;
  for (let at = 2; at + 9 < view.byteLength; ) {
    if (view.getUint8(at) !== 0xff) break;
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return { format: 'jpeg', width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    at += 2 + Math.max(2, view.getUint16(at + 2));
  }
  return { format: 'jpeg', width: null, height: null };
}

function webp(view: DataView): ImageHead | null {
  if (view.byteLength < 30 || ascii(view, 0, 4) !== 'RIFF' || ascii(view, 8, 4) !== 'WEBP') return null;
  const chunk = ascii(view, 12, 4);
  if (chunk === 'VP8X') return { format: 'webp', width: 1 + uint24(view, 24), height: 1 + uint24(view, 27) };
  if (chunk === 'VP8 ')
    return { format: 'webp', width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  if (chunk !== 'VP8L') return { format: 'webp', width: null, height: null };
  const bits = view.getUint32(21, true);
  return { format: 'webp', width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
}

function uint24(view: DataView, at: number): number {
  return view.getUint8(at) | (view.getUint8(at + 1) << 8) | (view.getUint8(at + 2) << 16);
}

/** The size is in the ispe box, near the beginning. */
function avif(view: DataView): ImageHead | null {
  if (ascii(view, 4, 4) !== 'ftyp' || !/^(?:avif|avis|mif1)$/.test(ascii(view, 8, 4))) return null;
  const end = Math.min(view.byteLength - 16, 4096);
  for (let at = 12; at < end; at += 1) {
    if (ascii(view, at, 4) === 'ispe')
      return { format: 'avif', width: view.getUint32(at + 8), height: view.getUint32(at + 12) };
  }
  return { format: 'avif', width: null, height: null };
}

function svg(bytes: Uint8Array): ImageHead | null {
  const start = new TextDecoder().decode(bytes.subarray(0, 2048));
  return /^\uFEFF?\s*</.test(start) && /<svg[\s>]/i.test(start) ? { format: 'svg', width: null, height: null } : null;
}
