/** Lays out a graph beside the page: sends positions on the way, and at last the settled ones. */
import { type LayoutInput, layoutOf } from './layout.ts';

export interface LaidOut {
  readonly positions: Float32Array;
  readonly settled: boolean;
}

const STEPS_AT_ONCE = 8;

addEventListener('message', ({ data }: MessageEvent<LayoutInput>) => {
  const layout = layoutOf(data);
  for (let step = 0; step < layout.steps; step += STEPS_AT_ONCE) {
    layout.advance(Math.min(STEPS_AT_ONCE, layout.steps - step));
    const positions = layout.positions();
    const message: LaidOut = { positions, settled: step + STEPS_AT_ONCE >= layout.steps };
    postMessage(message, { transfer: [positions.buffer] });
  }
});
