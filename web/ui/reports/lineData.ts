import type { AlignedData } from 'uplot';
import { numberAt } from './chartParts.tsx';
import type { Drawn } from './reportSeries.ts';

/** Places on the axis, and the values of each series; nulls are gaps. */
export const lineData = ({ series, points }: Drawn): AlignedData => [
  points.map((_, index) => index),
  ...series.map((each) => points.map((point) => numberAt(point, each))),
];
