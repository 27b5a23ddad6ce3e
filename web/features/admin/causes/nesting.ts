/**
 * The chain of causes as a tree: each command below its cause, a request or an event, and each event below its command.
 */
import type { CauseNode, CausesView } from '../../../../src/http/contract/admin/causes.ts';

export interface EventBranch {
  readonly node: CauseNode;
  /** Levels below the selected event; 0 for it and for those above. */
  readonly below: number;
  readonly commands: readonly CommandBranch[];
}

export interface CommandBranch {
  readonly id: string;
  /** In log order; there is at least one. */
  readonly events: readonly EventBranch[];
}

/** `pages`: the first one, and those loaded later with further effects. */
export function nested(pages: readonly CausesView[]): readonly CommandBranch[] {
  const [first] = pages;
  if (!first) return [];
  const byCause = new Map<string, CauseNode[]>();
  for (const node of pages.flatMap(({ following }) => following))
    byCause.set(node.cause, [...(byCause.get(node.cause) ?? []), node]);
  const below = (cause: string, depth: number): readonly CommandBranch[] =>
    byCommand((byCause.get(cause) ?? []).map((node) => ({ node, below: depth, commands: below(node.id, depth + 1) })));
  if (!first.event) return below(first.id, 1);
  const own: EventBranch = { node: first.event, below: 0, commands: below(first.event.id, 1) };
  return byCommand([
    first.ancestors.reduceRight<EventBranch>(
      (branch, node) => ({ node, below: 0, commands: byCommand([branch]) }),
      own,
    ),
  ]);
}

function byCommand(events: readonly EventBranch[]): readonly CommandBranch[] {
  const commands = new Map<string, EventBranch[]>();
  for (const event of events) commands.set(event.node.command, [...(commands.get(event.node.command) ?? []), event]);
  return [...commands].map(([id, of]) => ({ id, events: of }));
}

/** Number of events shown below it. */
export const sizeOf = ({ commands }: EventBranch): number =>
  commands.flatMap(({ events }) => events).reduce((sum, event) => sum + 1 + sizeOf(event), 0);

/** Delay after its cause: '40 ms', '2.4 s', '12 min', '3 h', '2 days'. */
export function afterText(ms: number): string {
  if (ms < 1_000) return `${ms} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return `${minutes} min`;
  return minutes < 2_880 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 1_440)} days`;
}
