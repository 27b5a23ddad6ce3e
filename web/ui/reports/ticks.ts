/** Where the lines of an axis are. */

/** About so many steps. */
const STEPS = 4;
/** In ms: people count time neither by tens nor by hundreds. */
const SECOND = 1000;
const DAY = 86_400_000;
const DURATIONS = [1, 5, 15, 30, 60, 300, 900, 1800, 3600, 10_800, 21_600, 43_200, 86_400].map(
  (seconds) => seconds * SECOND,
);

export type TickKind = 'whole' | 'duration' | 'any';

/** Round numbers from at most `least` to the first one that is no less than `most`; 0 is always within. */
export function ticksOf(least: number, most: number, kind: TickKind): readonly number[] {
  const [from, to] = [Math.min(0, least), Math.max(0, most)];
  const step = stepOf((to - from) / STEPS || 1 / STEPS, kind);
  const first = Math.floor(from / step + ROUNDING);
  const last = Math.max(first + 1, Math.ceil(to / step - ROUNDING));
  return Array.from({ length: last - first + 1 }, (_, n) => Number(((first + n) * step).toPrecision(12)));
}

const ROUNDING = 1e-9;

function stepOf(least: number, kind: TickKind): number {
  if (kind === 'duration') {
    if (least > DAY) return DAY * roundUp(least / DAY);
    const known = DURATIONS.find((step) => step >= least);
    return known === undefined || least <= SECOND / 2 ? roundUp(least) : known;
  }
  const step = roundUp(least);
  return kind === 'whole' ? Math.max(1, Math.ceil(step)) : step;
}

/** To 1, 2, 5, or 10 times a power of ten. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value) + ROUNDING);
  return power * ([1, 2, 5].find((each) => each * power >= value * (1 - ROUNDING)) ?? 10);
}

/** Every how many labels one fits, if each is so wide. */
export const everyNth = (labels: number, width: number, labelWidth: number): number =>
  Math.max(1, Math.ceil((labels * labelWidth) / Math.max(1, width)));
