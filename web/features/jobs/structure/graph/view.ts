/** What is seen of the graph: its place and size in the frame, what is under the pointer, and which names fit. */
import type { Circle } from './layout.ts';

/** A point of the graph is at `x + k * point.x` in the frame, in px. */
export interface View {
  readonly x: number;
  readonly y: number;
  readonly k: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

const MOST_ZOOM = 8;
const LEAST_ZOOM = 0.2;
const MARGIN = 20;

/** All circles within the frame. */
export function wholeView(circles: readonly Circle[], { width, height }: Size): View {
  if (circles.length === 0) return { x: width / 2, y: height / 2, k: 1 };
  const left = Math.min(...circles.map(({ x, r }) => x - r));
  const right = Math.max(...circles.map(({ x, r }) => x + r));
  const top = Math.min(...circles.map(({ y, r }) => y - r));
  const bottom = Math.max(...circles.map(({ y, r }) => y + r));
  const k = Math.min(
    2,
    Math.max(1, width - 2 * MARGIN) / (right - left),
    Math.max(1, height - 2 * MARGIN) / (bottom - top),
  );
  return { x: (width - k * (left + right)) / 2, y: (height - k * (top + bottom)) / 2, k };
}

/** Larger or smaller by `factor`; the point of the frame stays where it is. */
export function zoomed({ x, y, k }: View, factor: number, at: { readonly x: number; readonly y: number }): View {
  const next = Math.min(MOST_ZOOM, Math.max(LEAST_ZOOM, k * factor));
  const by = next / k;
  return { x: at.x - (at.x - x) * by, y: at.y - (at.y - y) * by, k: next };
}

export const moved = ({ x, y, k }: View, dx: number, dy: number): View => ({ x: x + dx, y: y + dy, k });

const REACH = 6;

/** The page at a point of the frame, the nearest of several; null if there is none. `positions`: x and y in turn. */
export function pageAt(
  positions: Float32Array,
  radii: readonly number[],
  view: View,
  at: { readonly x: number; readonly y: number },
): number | null {
  let nearest: number | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const [place, radius] of radii.entries()) {
    const x = view.x + view.k * (positions[2 * place] ?? 0);
    const y = view.y + view.k * (positions[2 * place + 1] ?? 0);
    const distance = Math.hypot(at.x - x, at.y - y);
    if (distance > radius * view.k + REACH || distance >= least) continue;
    nearest = place;
    least = distance;
  }
  return nearest;
}

export interface Label {
  readonly text: string;
  /** The middle of its upper edge, in the frame. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The labels that fit in the frame without covering each other: the first ones come first. */
export function fitting<L extends Label>(labels: readonly L[], { width, height }: Size, most: number): readonly L[] {
  const shown: L[] = [];
  for (const label of labels) {
    if (shown.length === most) break;
    const left = label.x - label.width / 2;
    if (left < 0 || left + label.width > width || label.y < 0 || label.y + label.height > height) continue;
    if (!shown.some((other) => overlap(label, other))) shown.push(label);
  }
  return shown;
}

const overlap = (a: Label, b: Label): boolean =>
  Math.abs(a.x - b.x) * 2 < a.width + b.width && a.y < b.y + b.height && b.y < a.y + a.height;
