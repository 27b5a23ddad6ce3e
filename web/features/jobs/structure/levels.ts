/** What a color says: one of four levels, each with its words and, in the graph, its shape. */
import { count } from '../../../ui/text/wording.ts';
import type { ColorBy } from './address.ts';

export type Level = 0 | 1 | 2 | 3;

export interface Leveled {
  /** Null: unknown. */
  readonly level: Level | null;
  /** The value itself, short. */
  readonly text: string;
}

/** A folder with its pages, or a page. `fewest`, `most`: clicks from the start page. */
export interface Measured {
  readonly pages: number;
  /** Without what nearly every page has. */
  readonly apart: {
    readonly withFindings: number;
    readonly withHighImpact: number;
    readonly findings: number;
  };
  readonly fewest: number | null;
  readonly most: number | null;
  readonly pageRank: number | null;
}

/** What a folder or page is compared with. */
export interface Means {
  /** PageRank of an average page; 0 if it is unknown. */
  readonly pageRank: number;
  /** Of all pages, those with findings of high impact that not nearly every page has; percent, whole. */
  readonly highImpact: number;
}

/** Of the folder with all pages. */
export const meansOf = ({ pages, pageRank, apart }: Omit<Measured, 'fewest' | 'most'>): Means => ({
  pageRank: (pageRank ?? 0) / Math.max(1, pages),
  highImpact: percentOf(apart.withHighImpact, pages),
});

const percentOf = (part: number, whole: number): number => Math.round((100 * part) / Math.max(1, whole));

/** The names of the levels, from 0, of folders or of single pages. */
export function levelNames(by: ColorBy, of: 'folders' | 'pages', { highImpact }: Means): readonly string[] {
  switch (by) {
    case 'issues': {
      const low = ['No findings', 'Findings, none of high impact'];
      if (of === 'pages') return [...low, 'One of high impact', 'Several of high impact'];
      if (highImpact === 100) return [...low, 'High impact'];
      const mean = highImpact === 0 ? 'under 1%' : `up to ${highImpact}%`;
      return [...low, `High impact on ${mean} of pages, as on the whole site`, 'High impact on more'];
    }
    case 'depth':
      return ['Up to 2 clicks', '3 clicks', '4 or 5 clicks', '6 clicks or more'];
    case 'rank':
      return ['Under half the mean', 'Up to the mean', 'Up to twice the mean', 'More than twice'];
    default:
      by satisfies never;
      return [];
  }
}

export function levelOf(of: Measured, by: ColorBy, means: Means): Leveled {
  switch (by) {
    case 'issues': {
      const {
        pages,
        apart: { withFindings, withHighImpact, findings },
      } = of;
      if (withHighImpact > 0)
        return {
          level: percentOf(withHighImpact, pages) > means.highImpact ? 3 : 2,
          text: `${shareOf(withHighImpact, pages)} high impact`,
        };
      return withFindings > 0
        ? { level: 1, text: `${(findings / Math.max(1, pages)).toFixed(1)} findings a page` }
        : { level: 0, text: 'no findings' };
    }
    case 'depth': {
      const { fewest, most } = of;
      if (most === null) return { level: null, text: 'no link' };
      const level = most <= 2 ? 0 : most === 3 ? 1 : most <= 5 ? 2 : 3;
      return { level, text: fewest === most ? count(most, 'click') : `${fewest}–${most} clicks` };
    }
    case 'rank': {
      if (of.pageRank === null || means.pageRank === 0) return { level: null, text: 'unknown' };
      const times = of.pageRank / Math.max(1, of.pages) / means.pageRank;
      const level = times < 0.5 ? 0 : times <= 1 ? 1 : times <= 2 ? 2 : 3;
      return { level, text: `${times < 10 ? times.toFixed(1) : Math.round(times)}× mean` };
    }
    default:
      by satisfies never;
      return { level: null, text: '' };
  }
}

/** `<1%`, `12%`. */
export function shareOf(part: number, whole: number): string {
  if (part === 0 || whole === 0) return '0%';
  return part / whole < 0.01 ? '<1%' : `${percentOf(part, whole)}%`;
}

/** Millionths as a percentage. */
export const rankText = (millionths: number | null): string =>
  millionths === null ? '–' : `${(millionths / 10_000).toFixed(millionths < 100_000 ? 2 : 1)}%`;

const ISSUE_COLORS = ['--color-good', '--color-info', '--color-caution', '--color-bad'] as const;

/** How much of its color a surface has, so that text on it can be read in both themes. */
const TINTS = [12, 24, 36, 48] as const;

/** The surface of a level, as CSS. */
export function surfaceOf(by: ColorBy, level: Level | null): string {
  if (level === null) return 'var(--color-inset)';
  return by === 'issues'
    ? `color-mix(in oklab, var(${ISSUE_COLORS[level]}) ${[18, 20, 30, 40][level]}%, var(--color-card))`
    : `color-mix(in oklab, var(--color-accent) ${TINTS[level]}%, var(--color-card))`;
}

/** The color of a page in the graph, as CSS. */
export function inkOf(by: ColorBy, level: Level | null): string {
  if (level === null) return 'var(--color-muted)';
  return by === 'issues'
    ? `var(${ISSUE_COLORS[level]})`
    : `color-mix(in oklab, var(--color-accent) ${[35, 55, 80, 100][level]}%, var(--color-line-strong))`;
}
