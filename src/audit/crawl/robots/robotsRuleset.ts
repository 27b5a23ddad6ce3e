/** The rules for one crawler, ordered so that the first one that matches decides, and found by how the path begins. Pure. */
import { compilePattern, directoryPattern, type Pattern, patternMatches } from './robotsPattern.ts';

export type RobotsRule = {
  readonly allow: boolean;
  /** As written, without comment. */
  readonly text: string;
  /** From 1. */
  readonly line: number;
  /** Escaped: its length is what it weighs. */
  readonly pattern: string;
};

export type Ruleset = {
  /** The rule that decides for a path; null when none matches. */
  readonly deciding: (path: string) => RobotsRule | null;
};

type Ranked = { readonly rule: RobotsRule; readonly pattern: Pattern; readonly weight: number; rank: number };

/** The longest matching rule decides, of two as long the allowing one. An empty one weighs nothing, so it decides nothing. */
export function createRuleset(rules: readonly RobotsRule[]): Ruleset {
  const ranked = rules.flatMap(variantsOf).sort((a, b) => b.weight - a.weight || Number(b.rule.allow) - Number(a.rule.allow) || a.rule.line - b.rule.line);
  const byStart = new Map<string, Ranked[]>();
  for (const [rank, each] of ranked.entries()) {
    each.rank = rank;
    const start = byStart.get(each.pattern.first);
    if (start) start.push(each);
    else byStart.set(each.pattern.first, [each]);
  }
  const startLengths = [...new Set([...byStart.keys()].map((start) => start.length))].sort((a, b) => a - b);
  return {
    deciding: (path) => {
      let best: Ranked | null = null;
      for (const length of startLengths) {
        if (length > path.length) break;
        best = better(byStart.get(path.slice(0, length)), best, path);
      }
      return best?.rule ?? null;
    },
  };
}

function better(candidates: readonly Ranked[] | undefined, best: Ranked | null, path: string): Ranked | null {
  for (const candidate of candidates ?? []) {
    if (best && candidate.rank > best.rank) return best;
    if (patternMatches(candidate.pattern, path)) return candidate;
  }
  return best;
}

/** A rule that allows an index.htm(l) allows its directory, too. */
function variantsOf(rule: RobotsRule): Ranked[] {
  const directory = rule.allow ? directoryPattern(rule.pattern) : null;
  return [rule.pattern, directory].flatMap((pattern) => (pattern ? [{ rule, pattern: compilePattern(pattern), weight: pattern.length, rank: 0 }] : []));
}
