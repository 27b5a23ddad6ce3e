/** The built web app: its files, and its single page for every URL a browser may open. */
import { send } from '@koa/send';
import type { Context, Middleware } from 'koa';
import { notFound } from '../request/errors.ts';
import { prefersPage } from '../request/prefersPage.ts';
import type { AppPages } from './appPage.ts';

/** Files with hashed names never change. */
const IMMUTABLE = 'public, max-age=31536000, immutable';

export function webApp(webDir: string | null, pages: AppPages): Middleware {
  return async (ctx) => {
    const reading = ctx.method === 'GET' || ctx.method === 'HEAD';
    if (!webDir || !reading || ctx.path === '/api' || ctx.path.startsWith('/api/')) throw notFound();
    if (ctx.path !== '/' && (await sendFile(ctx, webDir, ctx.path))) return;
    // A missing file must not be answered with the page.
    if (/\.[a-z0-9]{1,8}$/i.test(ctx.path) || !prefersPage(ctx)) throw notFound();
    const page = pages(ctx.path);
    if (!page) throw notFound();
    ctx.type = 'html';
    ctx.body = page.html;
    ctx.set({ ETag: page.etag, 'Cache-Control': 'no-cache' });
    if (ctx.fresh) ctx.status = 304;
  };
}

async function sendFile(ctx: Context, root: string, path: string): Promise<boolean> {
  try {
    const sent = await send(ctx as never, path, { root, index: false });
    if (!sent) return false;
    // Large files lie there compressed; for an encoding that they do not have, each request would compress them again.
    ctx.compress = false;
  } catch (error) {
    const status = (error as { status?: number }).status;
    if (status !== undefined && status < 500) return false;
    throw error;
  }
  ctx.set('Cache-Control', path.startsWith('/assets/') ? IMMUTABLE : 'no-cache');
  if (ctx.fresh) ctx.status = 304;
  return true;
}
