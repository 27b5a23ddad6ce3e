/** The chain of causes as a tree: each event below its cause. */
import type { CauseNode, CausesView } from '../../../../src/http/contract/admin/causes.ts';

export interface Branch {
  readonly node: CauseNode;
  /** Levels below the selected event; 0 for it and for those above. */
  readonly below: number;
  readonly branches: readonly Branch[];
}

/** `pages`: the first one, and those loaded later with further effects. */
export function nested(pages: readonly CausesView[]): readonly Branch[] {
  const [first] = pages;
  if (!first) return [];
  const byCause = new Map<string, CauseNode[]>();
  for (const node of pages.flatMap(({ following }) => following)) byCause.set(node.cause, [...(byCause.get(node.cause) ?? []), node]);
  const below = (cause: string, depth: number): readonly Branch[] =>
    (byCause.get(cause) ?? []).map((node) => ({ node, below: depth, branches: below(node.id, depth + 1) }));
  if (!first.event) return below(first.id, 1);
  const own: Branch = { node: first.event, below: 0, branches: below(first.event.id, 1) };
  return [first.ancestors.reduceRight<Branch>((branch, node) => ({ node, below: 0, branches: [branch] }), own)];
}

/** Number of events shown below it. */
export const sizeOf = ({ branches }: Branch): number => branches.reduce((sum, branch) => sum + 1 + sizeOf(branch), 0);

/** Delay after its cause: '40 ms', '2.4 s', '12 min', '3 h', '2 days'. */
export function afterText(ms: number): string {
  if (ms < 1_000) return `${ms} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return `${minutes} min`;
  return minutes < 2_880 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 1_440)} days`;
}
