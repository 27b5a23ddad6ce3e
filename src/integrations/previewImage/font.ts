/**
 * The font of the preview images, shipped with the program so that images look the same on every machine. Supported
 * characters and their widths come from two of its tables, parsed by hand: a library needs a quarter of a second and
 * eleven megabytes to parse the whole font.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** Inter, semibold: Latin, Greek and Cyrillic. SIL Open Font License 1.1. */
export const FONT_FILE = createRequire(import.meta.url).resolve(
  '@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf',
);
export const FONT_FAMILY = 'Inter';

export type FontMetrics = {
  /** Width of a code point's glyph in thousandths of the font size; null if the font lacks it. */
  advanceOf(codePoint: number): number | null;
};

let kept: FontMetrics | null = null;

/** Loaded on first use. */
export function fontMetrics(): FontMetrics {
  kept ??= readMetrics(readFileSync(FONT_FILE));
  return kept;
}

/** @throws RangeError if the file is not a font or has no supported character table */
export function readMetrics(file: Uint8Array): FontMetrics {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const tables = tablesOf(view);
  const at = (name: string): number => {
    const offset = tables.get(name);
    if (offset === undefined) throw new RangeError(`The font has no table ${name}.`);
    return offset;
  };
  const unitsPerEm = view.getUint16(at('head') + 18);
  const widths = { at: at('hmtx'), count: view.getUint16(at('hhea') + 34) };
  const glyphs = glyphsOf(view, at('cmap'));
  return {
    advanceOf: (codePoint) => {
      const glyph = glyphs.get(codePoint);
      // The last width applies to all further glyphs.
      return glyph === undefined
        ? null
        : (view.getUint16(widths.at + 4 * Math.min(glyph, widths.count - 1)) * 1000) / unitsPerEm;
    },
  };
}

function tablesOf(view: DataView): ReadonlyMap<string, number> {
  const tables = new Map<string, number>();
  for (let nth = 0; nth < view.getUint16(4); nth++) {
    const entry = 12 + 16 * nth;
    const name = String.fromCharCode(...[0, 1, 2, 3].map((byte) => view.getUint8(entry + byte)));
    tables.set(name, view.getUint32(entry + 8));
  }
  return tables;
}

/** Code point → glyph, from the subtable that all current fonts have: format 4, which ends at U+FFFF. */
function glyphsOf(view: DataView, cmap: number): ReadonlyMap<number, number> {
  const subtables = Array.from(
    { length: view.getUint16(cmap + 2) },
    (_, nth) => cmap + view.getUint32(cmap + 4 + 8 * nth + 4),
  );
  const table = subtables.find((at) => view.getUint16(at) === 4);
  if (table === undefined) throw new RangeError('The font has no table of characters of format 4.');
  const glyphs = new Map<number, number>();
  const segments = view.getUint16(table + 6) / 2;
  const [ends, starts] = [table + 14, table + 16 + 2 * segments];
  const [deltas, offsets] = [starts + 2 * segments, starts + 4 * segments];
  for (let nth = 0; nth < segments; nth++) {
    const [start, end] = [view.getUint16(starts + 2 * nth), view.getUint16(ends + 2 * nth)];
    const [delta, offset] = [view.getUint16(deltas + 2 * nth), view.getUint16(offsets + 2 * nth)];
    for (let point = start; point <= end && point !== 0xffff; point++) {
      const listed = offset === 0 ? point : view.getUint16(offsets + 2 * nth + offset + 2 * (point - start));
      const glyph = listed === 0 ? 0 : (listed + delta) & 0xffff;
      if (glyph !== 0) glyphs.set(point, glyph);
    }
  }
  return glyphs;
}
