import { Maximize, Minus, Plus } from 'lucide-react';
import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { Link, useNavigate } from 'react-router-dom';
import type { LinkedPage, Structure } from '../../../../../src/http/contract/structure.ts';
import { jobPagePath } from '../../../../ui/paths.ts';
import { resolvedColors, useThemeChange } from '../../../../ui/resolvedColors.ts';
import { singleKeysOff } from '../../../../ui/singleKeys.ts';
import { count, cutMiddle, grouped } from '../../../../ui/text/wording.ts';
import { useWidth } from '../../../../ui/useWidth.ts';
import { addressText } from '../../page/addressText.ts';
import type { ColorBy } from '../address.ts';
import { inkOf, type Level, levelOf, type Means, rankText } from '../levels.ts';
import { clustersOf } from './clusters.ts';
import { type Colors, draw } from './draw.ts';
import { circlesOf, type LayoutInput, radiusOf } from './layout.ts';
import { useLayout } from './useLayout.ts';
import { moved, pageAt, type View, wholeView, zoomed } from './view.ts';

interface LinkGraphProps {
  jobId: string;
  structure: Structure;
  by: ColorBy;
  means: Means;
  origin: string | null;
  /** With the links of menus. */
  menus: boolean;
  /** Place of the page that is looked at. */
  active: number | null;
  onActive: (place: number | null) => void;
}

const ZOOM = 1.4;
const KEY_STEP = 48;
/** A pointer that moved less did not drag, px. */
const STILL = 4;

/** The most important pages by folder, with the links between them. */
export function LinkGraph(props: LinkGraphProps) {
  const { jobId, structure, by, means, origin, menus, active, onActive } = props;
  const { graph, folders } = structure;
  const { pages } = graph;
  const navigate = useNavigate();
  const frame = useRef<HTMLElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const width = useWidth(frame);
  const height = width < 640 ? 420 : 600;
  const clusters = useMemo(() => clustersOf(pages, folders), [pages, folders]);
  const input = useMemo(() => inputOf(graph, clusters), [graph, clusters]);
  const circles = useMemo(() => circlesOf(input), [input]);
  const { positions, settled, failed } = useLayout(input);
  const edges = useMemo(() => shownEdges(graph.edges, menus), [graph, menus]);
  const names = useMemo(() => pages.map(({ url }) => cutMiddle(nameOf(url, origin), 28)), [pages, origin]);
  const levels = useMemo(() => pages.map((page) => pageLevel(page, by, means)), [pages, by, means]);
  const near = useMemo(() => nearOf(active, edges), [active, edges]);
  const [changedView, setView] = useState<{ readonly width: number; readonly view: View } | null>(null);
  const whole = useMemo(() => wholeView(circles, { width, height }), [circles, width, height]);
  const view = changedView?.width === width ? changedView.view : whole;
  const show = (next: View): void => setView({ width, view: next });
  const colors = useColors(frame, by);

  useEffect(() => {
    if (positions === null || colors === null) return;
    const request = requestAnimationFrame(() =>
      draw(canvas.current, {
        size: { width, height },
        view,
        circles,
        clusterNames: clusters.map(({ label }) => cutMiddle(label, 28)),
        positions,
        radii: input.radii,
        names,
        levels,
        edges,
        active,
        near,
        colors,
      }),
    );
    return () => cancelAnimationFrame(request);
  }, [width, height, view, circles, clusters, positions, input, names, levels, edges, active, near, colors]);

  const placeAt = (at: Point): number | null => (positions ? pageAt(positions, input.radii, view, at) : null);
  const drag = useDrag({
    onMove: (dx, dy) => show(moved(view, dx, dy)),
    onPinch: (factor, at) => show(zoomed(view, factor, at)),
    onHover: (at) => {
      const place = placeAt(at);
      if (place !== active) onActive(place);
    },
    onClick: (at, isTouch) => {
      const place = placeAt(at);
      onActive(place);
      const url = place === null ? undefined : pages[place]?.url;
      // A finger cannot point before it chooses: its first touch shows what is there.
      if (url && !isTouch) void navigate(jobPagePath(jobId, url));
    },
  });
  useWheel(frame, (factor, at) => show(zoomed(view, factor, at)));

  const middle = { x: width / 2, y: height / 2 };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    const next = nextView(event.key, view, middle, whole);
    if (next === null) return;
    event.preventDefault();
    show(next);
  };
  const page = active === null ? undefined : pages[active];
  return (
    <section
      ref={frame}
      aria-label="Link graph"
      aria-busy={!settled && !failed}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keys move and zoom it.
      tabIndex={0}
      onKeyDown={onKeyDown}
      className="relative overflow-hidden rounded-control"
      style={{ height }}
    >
      <canvas
        ref={canvas}
        role="img"
        aria-label={`${count(pages.length, 'page')} in ${count(clusters.length, 'group')} by folder, with ${count(edges.from.length, 'link')} between them. The table of the most linked pages has the same pages.`}
        {...drag}
        // A finger leaves with each touch.
        onPointerLeave={({ pointerType }) => pointerType !== 'touch' && onActive(null)}
        className="absolute inset-0 size-full touch-pan-y select-none"
        style={{ cursor: active === null ? 'grab' : 'pointer' }}
      />
      {positions === null && (
        <p role="status" className="absolute inset-0 grid place-items-center text-sm text-muted">
          {failed ? 'The graph could not be drawn. The table has the same pages.' : 'Arranging the pages'}
        </p>
      )}
      <div className="absolute top-2 right-2 flex flex-col rounded-control border border-line bg-raised">
        <ZoomButton name="Zoom in" onClick={() => show(zoomed(view, ZOOM, middle))}>
          <Plus aria-hidden="true" size={14} />
        </ZoomButton>
        <ZoomButton name="Zoom out" onClick={() => show(zoomed(view, 1 / ZOOM, middle))}>
          <Minus aria-hidden="true" size={14} />
        </ZoomButton>
        <ZoomButton name="Show all pages" onClick={() => setView(null)}>
          <Maximize aria-hidden="true" size={14} />
        </ZoomButton>
      </div>
      {page && <ActivePage jobId={jobId} page={page} origin={origin} />}
    </section>
  );
}

function ZoomButton({ name, onClick, children }: { name: string; onClick: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      aria-label={name}
      title={name}
      onClick={onClick}
      className="grid size-8 place-items-center rounded-control text-normal hover:bg-inset hover:text-strong pointer-coarse:size-11"
    >
      {children}
    </button>
  );
}

/** What is known of the page that is looked at. */
function ActivePage({ jobId, page, origin }: { jobId: string; page: LinkedPage; origin: string | null }) {
  const { url, inlinks, outlinks, pageRank, clicksFromStart, findings, highImpact } = page;
  const facts = [
    `${count(inlinks, 'page links', 'pages link')} here`,
    outlinks === null ? null : count(outlinks, 'link out', 'links out'),
    `PageRank ${rankText(pageRank)}`,
    clicksFromStart === null ? 'no link from the home page' : count(clicksFromStart, 'click'),
    findings === 0
      ? 'no findings'
      : `${count(findings, 'finding')}${highImpact > 0 ? `, ${grouped(highImpact)} high` : ''}`,
  ].filter((fact) => fact !== null);
  return (
    <div className="pointer-events-none absolute bottom-2 left-2 max-w-[calc(100%-1rem)] rounded-control border border-line bg-raised px-3 py-2 text-sm shadow-float">
      <Link
        to={jobPagePath(jobId, url)}
        tabIndex={-1}
        className="pointer-events-auto block truncate font-mono text-accent underline-offset-2 hover:underline"
      >
        {addressText(url, 70, origin)}
      </Link>
      <p className="text-xs text-muted">{facts.join(' · ')}</p>
    </div>
  );
}

interface Point {
  readonly x: number;
  readonly y: number;
}

function inputOf(
  { pages, edges }: Structure['graph'],
  clusters: readonly { readonly pages: readonly number[] }[],
): LayoutInput {
  const most = pages[0]?.pageRank ?? 1;
  // Menus link everything with everything, which places nothing.
  const own = [...edges.own.keys()].filter((edge) => edges.own[edge]);
  return {
    radii: pages.map(({ pageRank }) => radiusOf(pageRank, most)),
    clusters: clusters.map((cluster) => cluster.pages),
    from: own.map((edge) => edges.from[edge] ?? 0),
    to: own.map((edge) => edges.to[edge] ?? 0),
  };
}

function shownEdges({ from, to, own, followed }: Structure['graph']['edges'], menus: boolean) {
  const shown = [...from.keys()].filter((edge) => menus || own[edge]);
  return {
    from: shown.map((edge) => from[edge] ?? 0),
    to: shown.map((edge) => to[edge] ?? 0),
    followed: shown.map((edge) => followed[edge] ?? true),
  };
}

function nearOf(
  active: number | null,
  { from, to }: { readonly from: readonly number[]; readonly to: readonly number[] },
): ReadonlySet<number> {
  const near = new Set<number>();
  if (active === null) return near;
  for (const [edge, place] of from.entries()) {
    if (place === active) near.add(to[edge] ?? active);
    if (to[edge] === active) near.add(place);
  }
  near.delete(active);
  return near;
}

const A_PAGE = { pages: 1, apart: { withFindings: 0, withHighImpact: 0, findings: 0 } } as const;

function pageLevel(
  { apart: { findings, highImpact }, clicksFromStart, pageRank }: LinkedPage,
  by: ColorBy,
  means: Means,
): Level | null {
  if (by === 'issues') return highImpact > 1 ? 3 : highImpact === 1 ? 2 : findings > 0 ? 1 : 0;
  const of = { ...A_PAGE, fewest: clicksFromStart, most: clicksFromStart, pageRank };
  return levelOf(of, by, means).level;
}

function nameOf(url: string, origin: string | null): string {
  if (origin !== null && url === `${origin}/`) return 'Home page';
  const path = addressText(url, 1000, origin).replace(/\/$/, '');
  return path.slice(path.lastIndexOf('/') + 1) || path;
}

function nextView(key: string, view: View, middle: Point, whole: View): View | null {
  switch (key) {
    case 'ArrowLeft':
      return moved(view, KEY_STEP, 0);
    case 'ArrowRight':
      return moved(view, -KEY_STEP, 0);
    case 'ArrowUp':
      return moved(view, 0, KEY_STEP);
    case 'ArrowDown':
      return moved(view, 0, -KEY_STEP);
    default:
  }
  if (singleKeysOff()) return null;
  if (key === '+' || key === '=') return zoomed(view, ZOOM, middle);
  if (key === '-') return zoomed(view, 1 / ZOOM, middle);
  return key === '0' ? whole : null;
}

/** Resolved again with each theme; null before the first time. */
function useColors(frame: { readonly current: HTMLElement | null }, by: ColorBy): Colors | null {
  const [colors, setColors] = useState<Colors | null>(null);
  const read = useCallback(() => {
    if (!frame.current) return;
    const resolved = resolvedColors(frame.current, {
      card: 'var(--color-card)',
      inset: 'var(--color-inset)',
      line: 'var(--color-line)',
      lineStrong: 'var(--color-line-strong)',
      strong: 'var(--color-strong)',
      muted: 'var(--color-muted)',
      accent: 'var(--color-accent)',
    });
    const levels: readonly (Level | null)[] = [0, 1, 2, 3, null];
    const inks = resolvedColors(
      frame.current,
      Object.fromEntries(levels.map((level) => [`${level}`, inkOf(by, level)])),
    );
    setColors({ ...resolved, inks: levels.map((level) => inks[`${level}`] ?? '') });
  }, [frame, by]);
  useEffect(read, [read]);
  useThemeChange(read);
  return colors;
}

interface Dragged {
  onMove: (dx: number, dy: number) => void;
  onPinch: (factor: number, at: Point) => void;
  onHover: (at: Point) => void;
  onClick: (at: Point, isTouch: boolean) => void;
}

/** One pointer moves, two change the size, and one that stays where it was clicks. */
function useDrag({ onMove, onPinch, onHover, onClick }: Dragged) {
  const down = useRef(new Map<number, Point>());
  const far = useRef(0);
  const pointOf = ({ nativeEvent: { offsetX, offsetY } }: PointerEvent): Point => ({ x: offsetX, y: offsetY });
  const other = (id: number): Point | undefined => [...down.current].find(([each]) => each !== id)?.[1];
  return {
    onPointerDown: (event: PointerEvent<HTMLCanvasElement>) => {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture?.(event.pointerId);
      down.current.set(event.pointerId, pointOf(event));
      far.current = down.current.size > 1 ? STILL : 0;
    },
    onPointerMove: (event: PointerEvent<HTMLCanvasElement>) => {
      const at = pointOf(event);
      const was = down.current.get(event.pointerId);
      if (!was) return onHover(at);
      down.current.set(event.pointerId, at);
      const second = other(event.pointerId);
      if (second) {
        const before = Math.hypot(was.x - second.x, was.y - second.y);
        const now = Math.hypot(at.x - second.x, at.y - second.y);
        return onPinch(now / Math.max(1, before), second);
      }
      far.current += Math.hypot(at.x - was.x, at.y - was.y);
      if (far.current >= STILL) onMove(at.x - was.x, at.y - was.y);
    },
    onPointerUp: (event: PointerEvent<HTMLCanvasElement>) => {
      if (down.current.delete(event.pointerId) && far.current < STILL)
        onClick(pointOf(event), event.pointerType === 'touch');
    },
    onPointerCancel: (event: PointerEvent<HTMLCanvasElement>) => {
      down.current.delete(event.pointerId);
    },
  };
}

/** While it has the focus, or with Ctrl: otherwise the wheel scrolls the page. */
function useWheel(frame: { readonly current: HTMLElement | null }, onZoom: (factor: number, at: Point) => void): void {
  const zoom = useRef(onZoom);
  zoom.current = onZoom;
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const onWheel = (event: WheelEvent): void => {
      if (!event.ctrlKey && !event.metaKey && document.activeElement !== element) return;
      event.preventDefault();
      const { left, top } = element.getBoundingClientRect();
      zoom.current(Math.exp(-event.deltaY / 400), { x: event.clientX - left, y: event.clientY - top });
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [frame]);
}
