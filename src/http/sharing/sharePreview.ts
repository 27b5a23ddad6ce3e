/** Preview pictures for posted links: drawn on first request, one at a time, with a small cache. */
import pLimit from 'p-limit';
import { isPart } from '../../model/crawlSettings.ts';
import { readableHost } from '../../model/readableAddress.ts';
import type { PreviewCard } from '../../model/shares.ts';
import type { HttpDeps } from '../deps/deps.ts';
import { HttpError } from '../request/errors.ts';
import type { OpenShare } from './openShare.ts';

/** Pictures kept in memory, about 30 kB each. */
const MAX_KEPT = 100;
/** Including the one being drawn. */
const MAX_WAITING = 20;

export type PreviewImages = { of(open: OpenShare): Promise<Uint8Array> };

export function createPreviewImages({ sharing }: Pick<HttpDeps, 'sharing'>): PreviewImages {
  const kept = new Map<string, Promise<Uint8Array>>();
  const mutex = pLimit(1);

  function draw(card: PreviewCard): Promise<Uint8Array> {
    if (mutex.activeCount + mutex.pendingCount >= MAX_WAITING)
      throw new HttpError('BUSY', 'Too many pictures are being drawn. Please try again shortly.', {
        headers: { 'Retry-After': '5' },
      });
    return mutex(() => sharing.drawPreview(card));
  }

  return {
    of: async (open) => {
      const card = cardOf(open);
      const key = JSON.stringify(card);
      const known = kept.get(key);
      if (known) return known;
      const drawn = draw(card);
      kept.set(key, drawn);
      drawn.catch(() => kept.delete(key));
      const oldest = kept.keys().next().value;
      if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
      return drawn;
    },
  };
}

/** Facts are shown only if they are shared. */
function cardOf({ share, job }: OpenShare): PreviewCard {
  const shows = (part: OpenShare['share']['sharedContent'][number]): boolean => share.sharedContent.includes(part);
  const facts = shows('job_metadata');
  const host = job.host.replace(/^www\./, '');
  const kind = share.mode === 'preview' ? 'Preview of an SEO analysis' : 'SEO analysis';
  return {
    headings: facts ? [readableHost(host), host] : [kind],
    score: facts ? job.score : null,
    notJudged: facts && job.notJudged !== null,
    lines: [
      facts ? `${kind}${isPart(job.settings) ? ' of a part of the site' : ''}` : '',
      ...(shows('actions') ? [`${job.actionCount} action ${job.actionCount === 1 ? 'item' : 'items'}`] : []),
      ...(facts && job.pagesDone > 0 ? [`${job.pagesDone} ${job.pagesDone === 1 ? 'page' : 'pages'} audited`] : []),
    ],
  };
}
