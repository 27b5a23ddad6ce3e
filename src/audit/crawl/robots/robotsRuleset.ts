/** The rules for one crawler, sorted so that the first match decides, and indexed by their literal start. Pure. */
import { compilePattern, directoryPattern, type Pattern, patternMatches, reachedBy } from './robotsPattern.ts';

export type RobotsRule = {
  readonly allow: boolean;
  /** As written, without comment. */
  readonly text: string;
  /** From 1. */
  readonly line: number;
  /** Escaped; its length is the rule's weight. */
  readonly pattern: string;
};

/** Wildcard rules beyond the limits: how many, and the line of the first. */
export type UnreadRules = { readonly count: number; readonly line: number };

export type Ruleset = {
  /** The deciding rule for a path; null if none matches. */
  readonly deciding: (path: string) => RobotsRule | null;
  /** Null when all rules were read. */
  readonly unread: UnreadRules | null;
};

/**
 * Each wildcard rule has to be tried on each path, and a file can hold 40,000 of them. Only this many are read, in file
 * order, with this many pieces between their stars; real sites have a few hundred.
 */
export const WILDCARD_LIMITS = { rules: 1000, pieces: 10_000 } as const;

type Ranked = {
  readonly rule: RobotsRule;
  readonly text: string;
  readonly pattern: Pattern;
  readonly weight: number;
};

/**
 * The longest matching rule decides; between equally long ones, allow wins. An empty rule has no weight and never
 * decides.
 */
export function createRuleset(rules: readonly RobotsRule[]): Ruleset {
  const { read, unread } = withinLimits(distinct(rules.flatMap(variantsOf)));
  const byStart = new Map<string, Ranked[]>();
  for (const each of read) {
    const start = byStart.get(each.pattern.first);
    if (start) start.push(each);
    else byStart.set(each.pattern.first, [each]);
  }
  for (const start of byStart.values()) start.sort(inRank);
  const startLengths = [...new Set([...byStart.keys()].map((start) => start.length))].sort((a, b) => a - b);
  return {
    deciding: kept((path) => {
      const reached = reachedBy(path);
      let best: Ranked | null = null;
      for (const length of startLengths) {
        if (length > path.length) break;
        best = better(byStart.get(path.slice(0, length)), best, path, reached);
      }
      return best?.rule ?? null;
    }),
    unread,
  };
}

/** Below zero if the first decides where both match. */
function inRank(a: Ranked, b: Ranked): number {
  return b.weight - a.weight || Number(b.rule.allow) - Number(a.rule.allow) || a.rule.line - b.rule.line;
}

/**
 * How much memory the decisions on paths may take, about, in bytes: of 1,000 of the longest addresses. Checks ask again
 * and again about a page, and for several crawlers.
 */
const KEPT_BYTES = 2_000_000;
const ENTRY_BYTES = 100;

function kept(decide: (path: string) => RobotsRule | null): (path: string) => RobotsRule | null {
  const known = new Map<string, RobotsRule | null>();
  let left = KEPT_BYTES;
  return (path) => {
    let rule = known.get(path);
    if (rule === undefined) {
      rule = decide(path);
      left -= path.length + ENTRY_BYTES;
      if (left < 0) {
        known.clear();
        left = KEPT_BYTES;
      }
      known.set(path, rule);
    }
    return rule;
  };
}

/** Keeps the first of identical rules. */
function distinct(variants: readonly Ranked[]): Ranked[] {
  const seen = new Set<string>();
  return variants.filter(({ rule, text }) => {
    const key = `${rule.allow ? 'a' : 'd'}${text}`;
    return !seen.has(key) && seen.add(key);
  });
}

function withinLimits(variants: readonly Ranked[]): { readonly read: Ranked[]; readonly unread: UnreadRules | null } {
  let rules = 0;
  let pieces = 0;
  let unread: UnreadRules | null = null;
  const read = variants.filter(({ pattern, rule }) => {
    if (pattern.rest.length === 0) return true;
    if (rules < WILDCARD_LIMITS.rules && pieces + pattern.rest.length <= WILDCARD_LIMITS.pieces) {
      rules += 1;
      pieces += pattern.rest.length;
      return true;
    }
    unread = unread === null ? { count: 1, line: rule.line } : { count: unread.count + 1, line: unread.line };
    return false;
  });
  return { read, unread };
}

function better(
  candidates: readonly Ranked[] | undefined,
  best: Ranked | null,
  path: string,
  reached: Uint16Array,
): Ranked | null {
  for (const candidate of candidates ?? []) {
    if (best && inRank(best, candidate) < 0) return best;
    if (patternMatches(candidate.pattern, path, reached)) return candidate;
  }
  return best;
}

/** A rule that allows an index.htm(l) also allows its directory. */
function variantsOf(rule: RobotsRule): Ranked[] {
  const directory = rule.allow ? directoryPattern(rule.pattern) : null;
  return [rule.pattern, directory].flatMap((pattern) =>
    pattern ? [{ rule, text: pattern, pattern: compilePattern(pattern), weight: pattern.length }] : [],
  );
}
