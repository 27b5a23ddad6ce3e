/** Entry point of a process that parses pages: takes one at a time, returns its facts or the error. */
import { lowerPriority } from '../../processes/lowerPriority.ts';
import { type ParseInput, parsePage } from './parsePage.ts';

export type ParseReply = { readonly facts: ReturnType<typeof parsePage> } | { readonly error: string };

lowerPriority();
process.on('message', (input: ParseInput) => {
  let reply: ParseReply;
  try {
    reply = { facts: parsePage(input) };
  } catch (error) {
    reply = { error: error instanceof Error ? error.message : String(error) };
  }
  process.send?.(reply);
});
