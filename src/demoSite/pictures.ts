/** The shop's pictures, drawn as SVG. */

const COLOURS = {
  leaf: '#4f7a5b',
  amber: '#c98a3b',
  clay: '#b5654a',
  night: '#34475e',
  mint: '#7fb59a',
  cream: '#f4ecdf',
} as const;

function frame(ground: string, content: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 480 360" width="480" height="360"><rect width="480" height="360" fill="${ground}"/>${content}</svg>`;
}

function cup(tea: string): string {
  return frame(
    COLOURS.cream,
    `<ellipse cx="240" cy="296" rx="150" ry="18" fill="#e2d3bb"/><path d="M130 150h220c0 92-40 136-110 136s-110-44-110-136z" fill="#fff" stroke="#d8c7ab" stroke-width="4"/><path d="M350 170c48-8 58 70-16 74" fill="none" stroke="#d8c7ab" stroke-width="12"/><ellipse cx="240" cy="152" rx="106" ry="20" fill="${tea}"/><path d="M210 118c-18-22 18-34 0-58M258 118c-18-22 18-34 0-58" fill="none" stroke="#cdbb9c" stroke-width="6" stroke-linecap="round"/>`,
  );
}

function pot(clay: string): string {
  return frame(
    '#efe7dc',
    `<ellipse cx="240" cy="298" rx="160" ry="18" fill="#dccdb8"/><path d="M112 214c0-66 56-98 128-98s128 32 128 98-58 82-128 82-128-16-128-82z" fill="${clay}"/><path d="M364 176c44-12 58-44 84-50-10 44-30 92-84 104z" fill="${clay}"/><path d="M120 178c-66-26-88 82 2 82" fill="none" stroke="${clay}" stroke-width="18"/><rect x="196" y="104" width="88" height="16" rx="8" fill="#0002"/><circle cx="240" cy="94" r="14" fill="${clay}"/>`,
  );
}

function hills(): string {
  return frame(
    '#dfe9e1',
    `<circle cx="366" cy="92" r="42" fill="#f3cf8b"/><path d="M0 250c80-90 150-90 230-20s150 60 250-50v180H0z" fill="${COLOURS.mint}"/><path d="M0 290c90-60 180-50 260-10s150 30 220-30v110H0z" fill="${COLOURS.leaf}"/><path d="M40 318h90M150 334h110M290 322h120" stroke="#dfe9e1" stroke-width="5" stroke-linecap="round" stroke-dasharray="2 14"/>`,
  );
}

function leaf(colour: string): string {
  return frame(
    COLOURS.cream,
    `<path d="M120 270c10-130 110-190 250-190-4 140-90 230-220 206" fill="${colour}"/><path d="M110 300c60-100 130-150 230-190" fill="none" stroke="#f4ecdf" stroke-width="6" stroke-linecap="round"/>`,
  );
}

/** Path → SVG. */
export const PICTURES: Readonly<Record<string, string>> = {
  '/images/hills.svg': hills(),
  '/images/oolong.svg': cup(COLOURS.amber),
  '/images/lapsang.svg': cup(COLOURS.clay),
  '/images/mint.svg': leaf(COLOURS.mint),
  '/images/leaves.svg': leaf(COLOURS.leaf),
  '/images/teapot.svg': pot(COLOURS.clay),
  '/images/bowl.svg': pot(COLOURS.night),
};
