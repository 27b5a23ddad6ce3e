/** Working data as a whole text. */
import type { CommandContext } from '../../src/commands/context.ts';
import { loadCrawlPart, saveCrawlPart } from '../../src/commands/job/crawlParts.ts';
import { splitText } from '../../src/domain/report/report.ts';
import type { EventStore } from '../../src/eventStore/eventStore.ts';

export async function saveCrawlText(
  context: CommandContext,
  { text, ...to }: { readonly jobId: string; readonly name: string; readonly text: string; readonly attempt?: number },
): Promise<void> {
  const parts = splitText(text);
  const texts = async function* () {
    yield* parts;
  };
  await saveCrawlPart(context, { ...to, parts: parts.length, texts });
}

export async function loadCrawlText(store: EventStore, jobId: string, name: string): Promise<string | null> {
  const texts = await loadCrawlPart(store, jobId, name);
  if (texts === null) return null;
  let whole = '';
  for await (const text of texts) whole += text;
  return whole;
}
