/** The picture beside a posted link: site, score and what is shared, drawn as shapes alone and made a PNG. */
import { FAIR_FROM, GOOD_FROM } from '../../model/scores.ts';
import type { PreviewCard } from '../../model/shares.ts';
import { GLYPHS } from './glyphs.ts';

const WIDTH = 1200;
const HEIGHT = 630;
const MARGIN = 80;
const RING = { x: 980, y: 300, radius: 130, stroke: 28 } as const;

/** The renderer is a native library: loaded when the first picture is asked for. */
export async function drawPreview(card: PreviewCard): Promise<Uint8Array> {
  const { renderAsync } = await import('@resvg/resvg-js');
  const image = await renderAsync(previewSvg(card), { font: { loadSystemFonts: false } });
  return image.asPng();
}

export function previewSvg({ heading, score, lines }: PreviewCard): string {
  const room = (score === null ? WIDTH : RING.x - RING.radius - 40) - 2 * MARGIN + (score === null ? 0 : MARGIN);
  const size = Math.max(40, Math.min(84, 84 * (room / widthOf(heading, 84))));
  const [kind = '', ...facts] = lines;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#f6f6f3"/><rect width="${WIDTH}" height="12" fill="#0a5a86"/>`,
    text(kind, MARGIN, 200, 36, '#5c5f59'),
    text(fitted(heading, size, room), MARGIN, 300, size, '#191a18'),
    ...facts.map((fact, index) => text(fact, MARGIN, 380 + index * 56, 36, '#3a3c38')),
    score === null ? '' : ring(score),
    text('SEO Workbench', MARGIN, 560, 30, '#0a5a86'),
    '</svg>',
  ].join('');
}

function ring(score: number): string {
  const { x, y, radius, stroke } = RING;
  const length = 2 * Math.PI * radius;
  const colour = score >= GOOD_FROM ? '#1b673a' : score >= FAIR_FROM ? '#7c4d00' : '#a8271f';
  const number = String(score);
  const circle = `cx="${x}" cy="${y}" r="${radius}" fill="none" stroke-width="${stroke}"`;
  return [
    `<circle ${circle} stroke="#dfdfd8"/>`,
    `<circle ${circle} stroke="${colour}" stroke-linecap="round" stroke-dasharray="${(score / 100) * length} ${length}" transform="rotate(-90 ${x} ${y})"/>`,
    text(number, x - widthOf(number, 104) / 2, y + 38, 104, '#191a18'),
    text('of 100', x - widthOf('of 100', 30) / 2, y + radius + 70, 30, '#5c5f59'),
  ].join('');
}

/** `y` is the base line. */
function text(words: string, x: number, y: number, size: number, colour: string): string {
  let at = 0;
  const shapes = Array.from(words, (character) => {
    const [advance, path] = glyphOf(character);
    const shape = path === '' ? '' : `<path transform="translate(${at} 0)" d="${path}"/>`;
    at += advance;
    return shape;
  });
  return `<g transform="translate(${x} ${y}) scale(${size / 1000})" fill="${colour}">${shapes.join('')}</g>`;
}

function fitted(words: string, size: number, room: number): string {
  if (widthOf(words, size) <= room) return words;
  let kept = words;
  while (kept !== '' && widthOf(`${kept}...`, size) > room) kept = kept.slice(0, -1);
  return `${kept}...`;
}

const widthOf = (words: string, size: number): number => (Array.from(words).reduce((sum, character) => sum + glyphOf(character)[0], 0) * size) / 1000;

function glyphOf(character: string): readonly [advance: number, path: string] {
  return (Object.hasOwn(GLYPHS, character) ? GLYPHS[character] : GLYPHS['?']) ?? [0, ''];
}
