/** PageRank by power iteration: the share of visits of each page if people follow links at random. Pure. */
import type { Pausable } from '../timeSlices.ts';

const DAMPING = 0.85;
const MAX_ROUNDS = 100;
/** It ends once all changes of a round together are below this. */
const TOLERANCE = 1e-8;

/** `edges` of node n: from `edgeStart[n]` to before `edgeStart[n + 1]`. */
export type Graph = { readonly edgeStart: Uint32Array; readonly edges: Uint32Array; readonly isNode: Uint8Array };

/**
 * Sums up to 1 over the nodes; others have 0. A node that passes nothing on gives its share to all nodes. The same graph
 * always gives the same numbers.
 */
export function* ranking({ edgeStart, edges, isNode }: Graph): Pausable<Float64Array> {
  const size = isNode.length;
  const nodes = isNode.reduce((sum, is) => sum + is, 0);
  let rank = Float64Array.from(isNode, (is) => (is === 1 ? 1 / nodes : 0));
  let next = new Float64Array(size);
  for (let round = 0; round < MAX_ROUNDS && nodes > 0; round += 1) {
    let dangling = 0;
    for (let node = 0; node < size; node += 1)
      if (edgeStart[node] === edgeStart[node + 1]) dangling += rank[node] as number;
    const base = (1 - DAMPING + DAMPING * dangling) / nodes;
    for (let node = 0; node < size; node += 1) next[node] = isNode[node] === 1 ? base : 0;
    for (let node = 0; node < size; node += 1) {
      const [from, to] = [edgeStart[node] as number, edgeStart[node + 1] as number];
      const passed = (DAMPING * (rank[node] as number)) / (to - from);
      for (let edge = from; edge < to; edge += 1) {
        const target = edges[edge] as number;
        next[target] = (next[target] as number) + passed;
      }
      if (node % 64 === 0) yield;
    }
    let change = 0;
    for (let node = 0; node < size; node += 1) change += Math.abs((next[node] as number) - (rank[node] as number));
    [rank, next] = [next, rank];
    if (change < TOLERANCE) break;
  }
  return rank;
}
