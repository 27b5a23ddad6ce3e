import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const css = readFileSync(join(import.meta.dirname, '../../../web/ui/tokens.css'), 'utf8');
const COLOURS = new Map(
  Array.from(
    css.matchAll(/--color-([\w-]+): light-dark\((#\w+), (#\w+)\)/g),
    ([, name = '', light = '', dark = '']) => [name, { light, dark }] as const,
  ),
);

function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((channel) => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(text: string, surface: string, theme: 'light' | 'dark'): number {
  const [one, two] = [text, surface].map((name) => luminance(COLOURS.get(name)?.[theme] ?? ''));
  return (Math.max(one ?? 0, two ?? 0) + 0.05) / (Math.min(one ?? 0, two ?? 0) + 0.05);
}

const SURFACES = ['page', 'card', 'raised', 'inset'];
const STATES = ['good', 'attention', 'caution', 'bad', 'info'];
const TEXTS: readonly (readonly [text: string, surface: string])[] = [
  ...['strong', 'normal', 'muted', 'accent', ...STATES].flatMap((text) =>
    SURFACES.map((surface) => [text, surface] as const),
  ),
  ...STATES.map((state) => [state, `${state}-soft`] as const),
  ['accent', 'accent-soft'],
  ['on-accent', 'accent'],
  ['on-accent', 'accent-hover'],
];

describe.each(['light', 'dark'] as const)('colors of the %s theme', (theme) => {
  it.each(TEXTS)('%s is readable on %s', (text, surface) => {
    expect(COLOURS.has(text) && COLOURS.has(surface)).toBe(true);
    expect(contrast(text, surface, theme)).toBeGreaterThanOrEqual(4.5);
  });
  it.each(SURFACES)('the border of a field is visible on %s', (surface) => {
    expect(contrast('line-strong', surface, theme)).toBeGreaterThanOrEqual(3);
  });
});
