/** Entry point of a parser thread: takes one page, returns its facts or the error. */
import { parentPort } from 'node:worker_threads';
import { lowerPriority } from './lowerPriority.ts';
import { type ParseInput, parsePage } from './parsePage.ts';

export type ParseReply = { readonly facts: ReturnType<typeof parsePage> } | { readonly error: string };

lowerPriority();
parentPort?.on('message', (input: ParseInput) => {
  let reply: ParseReply;
  try {
    reply = { facts: parsePage(input) };
  } catch (error) {
    reply = { error: error instanceof Error ? error.message : String(error) };
  }
  parentPort?.postMessage(reply);
});
