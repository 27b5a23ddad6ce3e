/** Draws the graph; does nothing where there is no canvas to draw on. */
import type { Level } from '../levels.ts';
import type { Circle } from './layout.ts';
import { fitting, type Label, type Size, type View } from './view.ts';

export interface Drawing {
  readonly size: Size;
  readonly view: View;
  /** Of the clusters. */
  readonly circles: readonly Circle[];
  readonly clusterNames: readonly string[];
  readonly positions: Float32Array;
  readonly radii: readonly number[];
  readonly names: readonly string[];
  readonly levels: readonly (Level | null)[];
  readonly edges: {
    readonly from: readonly number[];
    readonly to: readonly number[];
    readonly followed: readonly boolean[];
  };
  /** The page that is looked at, and those that it is linked with. */
  readonly active: number | null;
  readonly near: ReadonlySet<number>;
  readonly colors: Colors;
}

/** As a canvas takes them. */
export interface Colors {
  readonly card: string;
  readonly inset: string;
  readonly line: string;
  readonly lineStrong: string;
  readonly strong: string;
  readonly muted: string;
  readonly accent: string;
  /** Of each level; the last one: unknown. */
  readonly inks: readonly string[];
}

const FONT = '"Inter Variable", system-ui, sans-serif';
const MOST_LABELS = 40;
const FADED = 0.13;

export function draw(canvas: HTMLCanvasElement | null, drawing: Drawing): void {
  const context = canvas?.getContext('2d');
  if (!canvas || !context) return;
  const { width, height } = drawing.size;
  const density = globalThis.devicePixelRatio || 1;
  if (canvas.width !== Math.round(width * density) || canvas.height !== Math.round(height * density)) {
    canvas.width = Math.round(width * density);
    canvas.height = Math.round(height * density);
  }
  context.setTransform(density, 0, 0, density, 0, 0);
  context.clearRect(0, 0, width, height);
  drawClusters(context, drawing);
  drawEdges(context, drawing);
  drawPages(context, drawing);
  drawNames(context, drawing);
}

function drawClusters(context: CanvasRenderingContext2D, { circles, view, colors }: Drawing): void {
  context.lineWidth = 1;
  for (const { x, y, r } of circles) {
    context.beginPath();
    context.arc(view.x + view.k * x, view.y + view.k * y, view.k * r, 0, 2 * Math.PI);
    context.fillStyle = colors.inset;
    context.fill();
    context.strokeStyle = colors.line;
    context.stroke();
  }
}

function drawEdges(context: CanvasRenderingContext2D, { edges, positions, view, active, colors }: Drawing): void {
  const { from, to, followed } = edges;
  const line = (edge: number): void => {
    const [a, b] = [from[edge] ?? 0, to[edge] ?? 0];
    context.moveTo(view.x + view.k * (positions[2 * a] ?? 0), view.y + view.k * (positions[2 * a + 1] ?? 0));
    context.lineTo(view.x + view.k * (positions[2 * b] ?? 0), view.y + view.k * (positions[2 * b + 1] ?? 0));
  };
  const all = (which: (edge: number) => boolean, alpha: number, color: string, width: number, dash: number[]): void => {
    context.beginPath();
    for (let edge = 0; edge < from.length; edge += 1) if (which(edge)) line(edge);
    context.globalAlpha = alpha;
    context.strokeStyle = color;
    context.lineWidth = width;
    context.setLineDash(dash);
    context.stroke();
  };
  const isActive = (edge: number): boolean => active !== null && (from[edge] === active || to[edge] === active);
  // The more there are, the fainter each is, so that where many run stands out.
  const alpha = active === null ? Math.min(0.5, Math.max(0.1, 12 / Math.sqrt(Math.max(1, from.length)) / 3)) : 0.05;
  all((edge) => followed[edge] === true, alpha, colors.lineStrong, 0.8, []);
  all((edge) => followed[edge] === false, alpha, colors.lineStrong, 0.8, [3, 3]);
  if (active !== null) {
    all((edge) => isActive(edge) && followed[edge] === true, 0.8, colors.accent, 1.4, []);
    all((edge) => isActive(edge) && followed[edge] === false, 0.8, colors.accent, 1.4, [4, 3]);
  }
  context.globalAlpha = 1;
  context.setLineDash([]);
}

function drawPages(context: CanvasRenderingContext2D, drawing: Drawing): void {
  const { positions, radii, levels, view, active, near, colors } = drawing;
  const scale = pageScale(view);
  // The least important first, so that the others stay in sight.
  for (let place = radii.length - 1; place >= 0; place -= 1) {
    const x = view.x + view.k * (positions[2 * place] ?? 0);
    const y = view.y + view.k * (positions[2 * place + 1] ?? 0);
    const r = scale * (radii[place] ?? 0);
    if (x + r < 0 || y + r < 0 || x - r > drawing.size.width || y - r > drawing.size.height) continue;
    const level = levels[place] ?? null;
    const ink = colors.inks[level ?? 4] ?? colors.muted;
    context.globalAlpha = active === null || place === active || near.has(place) ? 1 : FADED;
    context.beginPath();
    outline(context, level, x, y, r);
    const hollow = level === null || level === 0;
    context.fillStyle = hollow ? colors.card : ink;
    context.fill();
    context.strokeStyle = hollow ? ink : colors.card;
    context.lineWidth = hollow ? Math.min(2, r / 2) : 0.75;
    context.setLineDash(level === null ? [2, 2] : []);
    context.stroke();
    context.setLineDash([]);
    if (place !== active) continue;
    context.beginPath();
    context.arc(x, y, r + 4, 0, 2 * Math.PI);
    context.strokeStyle = colors.accent;
    context.lineWidth = 2;
    context.stroke();
  }
  context.globalAlpha = 1;
}

/** Pages grow less than the space between them. */
const pageScale = ({ k }: View): number => (k > 1 ? Math.sqrt(k) : k);

function outline(context: CanvasRenderingContext2D, level: Level | null, x: number, y: number, r: number): void {
  if (level === 2) {
    const half = r * 0.89;
    context.rect(x - half, y - half, 2 * half, 2 * half);
  } else if (level === 3) {
    const half = r * 1.2;
    context.moveTo(x, y - half);
    context.lineTo(x + half, y);
    context.lineTo(x, y + half);
    context.lineTo(x - half, y);
    context.closePath();
  } else context.arc(x, y, r, 0, 2 * Math.PI);
}

type Named = Label & { readonly font: string; readonly color: string };

function drawNames(context: CanvasRenderingContext2D, drawing: Drawing): void {
  const { circles, clusterNames, positions, radii, names, view, size, active, near, colors } = drawing;
  const scale = pageScale(view);
  const named = (text: string, x: number, y: number, font: string, color: string): Named => {
    context.font = font;
    return { text, x, y, width: context.measureText(text).width + 8, height: 16, font, color };
  };
  const ofPage = (place: number): Named =>
    named(
      names[place] ?? '',
      view.x + view.k * (positions[2 * place] ?? 0),
      view.y + view.k * (positions[2 * place + 1] ?? 0) + scale * (radii[place] ?? 0) + 2,
      `${place === active ? 600 : 400} 11px ${FONT}`,
      colors.strong,
    );
  const clusters = circles.map(({ x, y, r }, n) =>
    named(
      clusterNames[n] ?? '',
      view.x + view.k * x,
      // Above the circle, or at the upper edge of the frame while the circle is within.
      Math.max(view.y + view.k * (y - r) - 17, Math.min(0, view.y + view.k * (y + r) - 20)),
      `600 12px ${FONT}`,
      colors.muted,
    ),
  );
  const chosen = active === null ? [] : [active, ...near];
  const pages = active === null ? [...names.keys()].slice(0, 6 * MOST_LABELS) : [];
  // The more one zooms in, the more names of less important pages there are.
  const legible = pages.filter((place) => scale * (radii[place] ?? 0) > 5.5);
  const labels = fitting(
    [...chosen.slice(0, 1).map(ofPage), ...clusters, ...[...chosen.slice(1), ...legible].map(ofPage)],
    size,
    MOST_LABELS,
  );
  context.textAlign = 'center';
  context.textBaseline = 'top';
  context.lineJoin = 'round';
  for (const { text, x, y, font, color } of labels) {
    context.font = font;
    context.strokeStyle = colors.card;
    context.lineWidth = 3;
    context.strokeText(text, x, y + 2);
    context.fillStyle = color;
    context.fillText(text, x, y + 2);
  }
}
