import { createParserPool } from '../audit/facts/parse/parserPool.ts';
import { createFetcher } from '../integrations/fetcher/httpFetcher.ts';
import { createRenderer } from '../integrations/renderer/chromiumRenderer.ts';
import type { ReadModels } from '../readModels/readModels.ts';
import { createFollowUp } from '../workers/followUp.ts';
import { chooseAnalyst } from './chooseAnalyst.ts';
import type { Config } from './config.ts';
import { siteBytesOf, threadMemoryOf } from './siteBytes.ts';
import { sleep } from './sleep.ts';
import { userAgent as userAgentOf } from './version.ts';

/** The tools for auditing sites: page parser threads and a browser, each started on first use, and the analyst. */
export async function openSiteTools(
  config: Config,
  {
    allowHosts,
    appUrl,
    readModels,
  }: { readonly allowHosts: readonly string[]; readonly appUrl: string; readonly readModels: ReadModels },
) {
  const parser = createParserPool({
    threads: config.AUDIT_THREADS,
    memoryMb: threadMemoryOf(config.AUDIT_THREADS),
  });
  const renderer = config.CHROMIUM_PATH === undefined ? null : createRenderer({ executablePath: config.CHROMIUM_PATH });
  const userAgent = userAgentOf(appUrl);
  const analyst = await chooseAnalyst(config, readModels);
  const followUp = createFollowUp({
    analyst,
    userAgent,
    askAsOthers: config.AUDIT_AS_OTHERS,
    // It needs a part of the site at most.
    siteBytes: siteBytesOf(config.AUDIT_PARALLEL) / 2,
    sleep,
    deadline: AbortSignal.timeout,
    clock: Date.now,
    parse: parser.parse,
    openFetcher: () => createFetcher({ allowHosts, userAgent }),
    ...(renderer ? { renderThrough: renderer.through } : {}),
  });
  const close = async (): Promise<void> => void (await Promise.all([parser.close(), renderer?.close()]));
  return { parse: parser.parse, renderer, analyst, followUp, close };
}
