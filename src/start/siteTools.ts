import { createParserPool } from '../audit/facts/parse/parserPool.ts';
import { createFetcher } from '../integrations/fetcher/httpFetcher.ts';
import { createRenderer } from '../integrations/renderer/chromiumRenderer.ts';
import type { ReadModels } from '../readModels/readModels.ts';
import { createFollowUp } from '../workers/followUp.ts';
import { createJudgePool } from '../workers/judging/judgePool.ts';
import { chooseAnalyst } from './chooseAnalyst.ts';
import type { Config } from './config.ts';
import { judgeMemoryOf, parserMemoryOf, siteBytesOf } from './siteBytes.ts';
import { sleep } from './sleep.ts';
import { userAgent as userAgentOf } from './version.ts';

/** The tools for auditing sites: processes for pages and for checks, and a browser, each started on first use, and the analyst. */
export async function openSiteTools(
  config: Config,
  {
    allowHosts,
    appUrl,
    readModels,
  }: { readonly allowHosts: readonly string[]; readonly appUrl: string; readonly readModels: ReadModels },
) {
  const parser = createParserPool({
    processes: config.AUDIT_THREADS,
    memoryMb: parserMemoryOf(config.AUDIT_THREADS),
  });
  const siteBytes = siteBytesOf(config.AUDIT_PARALLEL);
  const judge = createJudgePool({ processes: config.AUDIT_THREADS, memoryMb: judgeMemoryOf(siteBytes) });
  const renderer = config.CHROMIUM_PATH === undefined ? null : createRenderer({ executablePath: config.CHROMIUM_PATH });
  const userAgent = userAgentOf(appUrl);
  const analyst = await chooseAnalyst(config, readModels);
  const followUp = createFollowUp({
    analyst,
    userAgent,
    askAsOthers: config.AUDIT_AS_OTHERS,
    // It needs a part of the site at most.
    siteBytes: siteBytes / 2,
    rejudge: judge.rejudge,
    sleep,
    deadline: AbortSignal.timeout,
    clock: Date.now,
    parse: parser.parse,
    openFetcher: () => createFetcher({ allowHosts, userAgent }),
    ...(renderer ? { renderThrough: renderer.through } : {}),
  });
  const close = async (): Promise<void> => void (await Promise.all([parser.close(), judge.close(), renderer?.close()]));
  return { parse: parser.parse, assess: judge.assess, renderer, analyst, followUp, close };
}
