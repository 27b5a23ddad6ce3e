/** The preview image of a shared link: site, score and what is shared, drawn as SVG and rendered to PNG. */
import { bandOf, NOT_JUDGED, wholeScore } from '../../model/scores.ts';
import type { PreviewCard } from '../../model/shares.ts';
import { FONT_FAMILY, FONT_FILE, fontMetrics } from './font.ts';

const WIDTH = 1200;
const HEIGHT = 630;
const MARGIN = 80;
const RING = { x: 980, y: 300, radius: 130, stroke: 28 } as const;

/** The renderer is a native library, loaded on first use. */
export async function drawPreview(card: PreviewCard): Promise<Uint8Array> {
  const { renderAsync } = await import('@resvg/resvg-js');
  const image = await renderAsync(previewSvg(card), {
    font: { loadSystemFonts: false, fontFiles: [FONT_FILE], defaultFontFamily: FONT_FAMILY },
  });
  return image.asPng();
}

export function previewSvg({ headings, score: exact, notJudged, lines }: PreviewCard): string {
  const score = exact === null ? null : wholeScore(exact);
  const heading = headings.find(isWritable) ?? headings.at(-1) ?? '';
  const room = (score === null ? WIDTH : RING.x - RING.radius - 40) - 2 * MARGIN + (score === null ? 0 : MARGIN);
  const size = Math.max(40, Math.min(84, 84 * (room / widthOf(heading, 84))));
  const [kind = '', ...facts] = lines;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#f6f6f3"/><rect width="${WIDTH}" height="12" fill="#0a5a86"/>`,
    text(kind, MARGIN, 200, 36, '#5c5f59'),
    text(fitted(heading, size, room), MARGIN, 300, size, '#191a18'),
    ...(notJudged ? [NOT_JUDGED, ...facts] : facts).map((fact, index) =>
      text(fact, MARGIN, 380 + index * 56, 36, '#3a3c38'),
    ),
    score === null ? '' : ring(score),
    text('SEO Workbench', MARGIN, 560, 30, '#0a5a86'),
    '</svg>',
  ].join('');
}

const COLOURS = { good: '#1b673a', fair: '#7c4d00', poor: '#a8271f' } as const;

function ring(score: number): string {
  const { x, y, radius, stroke } = RING;
  const length = 2 * Math.PI * radius;
  const color = COLOURS[bandOf(score)];
  const number = String(score);
  const circle = `cx="${x}" cy="${y}" r="${radius}" fill="none" stroke-width="${stroke}"`;
  return [
    `<circle ${circle} stroke="#dfdfd8"/>`,
    `<circle ${circle} stroke="${color}" stroke-linecap="round" stroke-dasharray="${(score / 100) * length} ${length}" transform="rotate(-90 ${x} ${y})"/>`,
    text(number, x, y + 38, 104, '#191a18', 'middle'),
    text('of 100', x, y + radius + 70, 30, '#5c5f59', 'middle'),
  ].join('');
}

/** `y` is the baseline; `x` the start of the text, or its middle. */
function text(
  words: string,
  x: number,
  y: number,
  size: number,
  color: string,
  anchor: 'start' | 'middle' = 'start',
): string {
  const font = `font-family="${FONT_FAMILY}" font-weight="600" font-size="${size}"`;
  return `<text x="${x}" y="${y}" ${font} fill="${color}" text-anchor="${anchor}">${escaped(writable(words))}</text>`;
}

function fitted(words: string, size: number, room: number): string {
  if (widthOf(words, size) <= room) return words;
  const kept = charactersOf(words);
  while (kept.length > 0 && widthOf(`${kept.join('')}...`, size) > room) kept.pop();
  return `${kept.join('')}...`;
}

/** Combines letters and their marks where a precomposed character exists. */
const charactersOf = (words: string): string[] => Array.from(words.normalize('NFC'));

/** Null for characters that the font lacks or that XML does not allow. */
const advanceOf = (character: string): number | null =>
  character < ' ' ? null : fontMetrics().advanceOf(character.codePointAt(0) ?? 0);

const isWritable = (words: string): boolean => charactersOf(words).every((character) => advanceOf(character) !== null);

/** Replaces characters the font lacks with question marks. */
const writable = (words: string): string =>
  charactersOf(words)
    .map((character) => (advanceOf(character) === null ? '?' : character))
    .join('');

const widthOf = (words: string, size: number): number =>
  (charactersOf(writable(words)).reduce((sum, character) => sum + (advanceOf(character) ?? 0), 0) * size) / 1000;

const escaped = (words: string): string => words.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
