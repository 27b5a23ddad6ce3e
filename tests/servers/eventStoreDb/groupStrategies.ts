/** Which consumer gets a message. */
import type { Strategy } from './groupSettings.ts';

export type Choosable = { readonly free: number };

/** A consumer; 'wait' leaves the message for later and goes on with the next; 'full' ends the round. */
export type Choice<Consumer> = Consumer | 'wait' | 'full';

export type Choose<Consumer> = (consumers: readonly Consumer[], stream: string) => Choice<Consumer>;

export function chooser<Consumer extends Choosable>(strategy: Strategy): Choose<Consumer> {
  if (strategy === 'Pinned') return pinned;
  return strategy === 'RoundRobin' ? roundRobin() : first;
}

/** One consumer has it all until it is full. */
function first<Consumer extends Choosable>(consumers: readonly Consumer[]): Choice<Consumer> {
  return consumers.find((consumer) => consumer.free > 0) ?? 'full';
}

function roundRobin<Consumer extends Choosable>(): Choose<Consumer> {
  let turn = 0;
  return (consumers) => {
    for (let step = 0; step < consumers.length; step += 1) {
      const at = (turn + step) % consumers.length;
      const consumer = consumers[at];
      if (!consumer || consumer.free <= 0) continue;
      turn = at + 1;
      return consumer;
    }
    return 'full';
  };
}

/** A stream's events go to one and the same consumer as long as it is there, and wait when it is full. */
function pinned<Consumer extends Choosable>(consumers: readonly Consumer[], stream: string): Choice<Consumer> {
  if (consumers.every((consumer) => consumer.free <= 0)) return 'full';
  const consumer = consumers[hash(stream) % consumers.length];
  return consumer && consumer.free > 0 ? consumer : 'wait';
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 2_166_136_261;
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 16_777_619) >>> 0;
  return value;
}
