/** Entry point of a parser thread: takes one page, returns its facts or the error. */
import { parentPort } from 'node:worker_threads';
import { giveWay } from './giveWay.ts';
import { type ParseInput, parsePage } from './parsePage.ts';

export type ParseReply = { readonly facts: ReturnType<typeof parsePage> } | { readonly error: string };

giveWay();
parentPort?.on('message', (input: ParseInput) => {
  let reply: ParseReply;
  try {
    reply = { facts: parsePage(input) };
  } catch (error) {
    reply = { error: error instanceof Error ? error.message : String(error) };
  }
  parentPort?.postMessage(reply);
});
