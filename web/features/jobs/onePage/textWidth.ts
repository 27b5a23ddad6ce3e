/** Widths of texts as the browser would draw them. */

let context: CanvasRenderingContext2D | null = null;

/** CSS pixels; 0 where nothing can be drawn. */
function widthOf(text: string, font: string): number {
  context ??= document.createElement('canvas').getContext('2d');
  if (!context) return 0;
  context.font = font;
  return Math.round(context.measureText(text).width);
}

/** The text up to where it fits, cut between words where it can be; `width`: of the whole text. */
export function fitted(
  text: string,
  font: string,
  room: number,
  measure: (text: string, font: string) => number = widthOf,
): { readonly text: string; readonly width: number; readonly isCut: boolean } {
  const width = measure(text, font);
  if (width <= room) return { text, width, isCut: false };
  let [least, most] = [0, text.length];
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (measure(`${text.slice(0, middle)} …`, font) <= room) least = middle;
    else most = middle - 1;
  }
  const start = text.slice(0, least);
  const word = start.lastIndexOf(' ');
  return { text: `${word > least / 2 ? start.slice(0, word) : start} …`, width, isCut: true };
}
