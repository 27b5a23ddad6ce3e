import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import type { Crawl } from '../../src/audit/crawl/site.ts';
import { crawlStream } from '../../src/domain/report/events.ts';
import { openWorkingData } from '../../src/workers/workingData.ts';
import { givenSite } from '../given/audit/page.ts';
import { type Product, withAdmin } from '../given/commands.ts';
import { saveCrawlText } from '../given/crawlTexts.ts';

const JOB = 'job-1';

const opened = (made: Product) => openWorkingData(made.store, { jobId: JOB, attempt: 1 }, made.context);

/** With as much as pages may have. */
function heavyCrawl(): Crawl {
  const html = (page: number): string =>
    Array.from(
      { length: 400 },
      (_, index) => `<a href="/${page}/${Math.imul(index, 2654435761) >>> 0}${'x'.repeat(900)}">Tea</a>`,
    ).join('');
  return givenSite({ pages: Array.from({ length: 20 }, (_, page) => ({ url: `/${page}`, html: html(page) })) });
}

it('a crawl is saved in parts, and another worker reads the same', async () => {
  const made = await withAdmin();
  const crawl = heavyCrawl();
  await opened(made).save('crawl', crawl);
  await opened(made).save('checked', { cutShort: true });
  expect(await opened(made).need('crawl')).toEqual(crawl);
  expect(await opened(made).need('checked')).toEqual({ cutShort: true });
  expect(await opened(made).load('summary')).toBeNull();
});

it('the last of several counts, read a few events at a time', async () => {
  const made = await withAdmin();
  await opened(made).save('crawl', heavyCrawl());
  const crawl = givenSite({ pages: ['<p>Tea'] });
  await opened(made).save('crawl', crawl);
  const limits: (number | undefined)[] = [];
  const store = Object.assign(Object.create(made.store) as Product['store'], {
    read: (stream: string, options?: { readonly limit?: number }) => {
      if (stream === crawlStream(JOB)) limits.push(options?.limit);
      return made.store.read(stream, options);
    },
  });
  expect(await openWorkingData(store, { jobId: JOB, attempt: 1 }, made.context).need('crawl')).toEqual(crawl);
  for (const limit of limits) expect(limit).toBeLessThan(10);
});

it('what a former version saved is read', async () => {
  const made = await withAdmin();
  const crawl = heavyCrawl();
  const text = gzipSync(Buffer.from(JSON.stringify(crawl)), { level: 1 }).toString('base64');
  await saveCrawlText(made.context(), { jobId: JOB, name: 'crawl', text, attempt: 1 });
  expect(await opened(made).need('crawl')).toEqual(crawl);
});
