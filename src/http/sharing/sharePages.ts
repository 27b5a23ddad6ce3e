/**
 * Pages of shared links: what search engines, referrers and link unfurlers get. Unfurlers run no scripts, so the head
 * of the app's page is filled in here: title, description and picture of a link that opens, and nothing for one that
 * does not.
 */
import type { Context, Middleware } from 'koa';
import { titleForVisitors } from '../../domain/share/share.ts';
import { readableHost } from '../../model/readableAddress.ts';
import type { HttpDeps } from '../deps/deps.ts';
import type { AppPages } from '../pages/appPage.ts';
import { prefersPage } from '../request/prefersPage.ts';
import type { RateLimiter } from '../request/rateLimits.ts';
import { NotShownYet } from '../routing/afterWrite.ts';
import { type OpenShare, openShareFor } from './openShare.ts';
import { createPreviewImages } from './sharePreview.ts';

/** Matches every spelling of such a path that the routers of the web app and the API accept. */
const OURS = /^\/(?:api\/v1\/)?shared?(?:\/|$)/i;
const PAGE = /^\/shared?\/([A-Za-z0-9_-]{1,200})\/?$/i;
const IMAGE = /^\/shared?\/([A-Za-z0-9_-]{1,200})\/preview\.png$/i;

export function sharePages(deps: HttpDeps, limiter: RateLimiter, pages: AppPages): Middleware {
  const images = createPreviewImages(deps);

  async function sendPage(ctx: Context, token: string): Promise<boolean> {
    const html = pages(ctx.path)?.html;
    if (html === undefined || !prefersPage(ctx)) return false;
    const open = await openLink(ctx, token).catch((error: unknown) => {
      if (error instanceof NotShownYet) return error;
      throw error;
    });
    ctx.type = 'html';
    if (open instanceof NotShownYet) {
      // The app on this page asks again until the link is shown.
      ctx.status = 503;
      ctx.set(open.headers);
      ctx.body = withHead(html, EMPTY);
      return true;
    }
    ctx.status = open ? 200 : 404;
    ctx.body = withHead(html, open ? headOf(open, token, deps.config.appUrl) : EMPTY);
    return true;
  }

  async function sendImage(ctx: Context, token: string): Promise<boolean> {
    const open = await openLink(ctx, token);
    if (!open) return false;
    ctx.type = 'png';
    ctx.body = Buffer.from(await images.of(open));
    return true;
  }

  const openLink = (ctx: Context, token: string): Promise<OpenShare | null> =>
    openShareFor(deps, limiter, ctx.ip, token);

  return async (ctx, next) => {
    const path = decoded(ctx.path);
    if (!OURS.test(path)) return next();
    ctx.set('X-Robots-Tag', 'noindex, nofollow');
    ctx.set('Referrer-Policy', 'no-referrer');
    ctx.set('Cache-Control', 'no-store');
    const page = ctx.method === 'GET' || ctx.method === 'HEAD' ? PAGE.exec(path)?.[1] : undefined;
    const image = ctx.method === 'GET' || ctx.method === 'HEAD' ? IMAGE.exec(path)?.[1] : undefined;
    if (page !== undefined && (await sendPage(ctx, page))) return;
    if (image !== undefined && (await sendImage(ctx, image))) return;
    await next();
  };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

type Head = {
  readonly title: string | null;
  readonly tags: readonly (readonly [attribute: string, name: string, content: string])[];
};

const EMPTY: Head = { title: null, tags: [] };

function headOf({ share, job }: OpenShare, token: string, appUrl: string): Head {
  // The site is only named if it is shared.
  const site = share.sharedContent.includes('job_metadata') ? ` of ${readableHost(job.host)}` : '';
  const description =
    share.description ||
    `${share.mode === 'preview' ? 'Preview of an' : 'An'} SEO analysis${site}: what to fix first, and how.`;
  const title = titleForVisitors(share, job.host);
  const at = appUrl.replace(/\/$/, '');
  return {
    title,
    tags: [
      ['name', 'description', description],
      ['property', 'og:type', 'article'],
      ['property', 'og:title', title],
      ['property', 'og:description', description],
      ['property', 'og:image', `${at}/share/${token}/preview.png`],
      ['property', 'og:image:width', '1200'],
      ['property', 'og:image:height', '630'],
      ['name', 'twitter:card', 'summary_large_image'],
    ],
  };
}

function withHead(html: string, { title, tags }: Head): string {
  const robots = '<meta name="robots" content="noindex, nofollow" />';
  const metas = tags.map(
    ([attribute, name, content]) => `<meta ${attribute}="${name}" content="${escaped(content)}" />`,
  );
  const own = tags.some(([, name]) => name === 'description')
    ? html.replace(/<meta name="description"[^>]*>\s*/, '')
    : html;
  const titled = title === null ? own : own.replace(/<title>[^<]*<\/title>/, () => `<title>${escaped(title)}</title>`);
  return titled.replace('</head>', () => `${[robots, ...metas].join('\n    ')}\n  </head>`);
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
