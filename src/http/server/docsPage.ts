/** /api/openapi.json and the page that shows it at /api/docs: Swagger UI from this server, without a line of inline script. */
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { send } from '@koa/send';
import type { Context, Middleware } from 'koa';
import { API } from '../apiPrefix.ts';
import { openApiDocument } from '../openApi.ts';
import type { AnyRoute } from '../route.ts';

const ASSETS = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];

/** Every other path goes on at once. */
const PATH = /^\/api\/(docs|openapi\.json$)/;

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API</title>
<link rel="icon" href="/api/docs/favicon-32x32.png">
<link rel="stylesheet" href="/api/docs/swagger-ui.css">
</head>
<body>
<div id="docs"></div>
<script src="/api/docs/swagger-ui-bundle.js"></script>
<script src="/api/docs/init.js"></script>
</body>
</html>
`;

const INIT = `SwaggerUIBundle({ url: '/api/openapi.json', dom_id: '#docs', deepLinking: true, tryItOutEnabled: true, validatorUrl: null });
`;

export function docsPage(routes: readonly AnyRoute[], info: { readonly version: string; readonly appUrl: string }): Middleware {
  const document = JSON.stringify(openApiDocument(routes, API, info));
  const root = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  const answer: Middleware = async (ctx, next) => {
    if (ctx.path === '/api/openapi.json') {
      ctx.type = 'application/json';
      ctx.body = document;
    } else if (ctx.path === '/api/docs' || ctx.path === '/api/docs/') {
      ctx.type = 'html';
      ctx.body = PAGE;
    } else if (ctx.path === '/api/docs/init.js') {
      ctx.type = 'js';
      ctx.body = INIT;
    } else if (ctx.path.startsWith('/api/docs/') && ASSETS.includes(ctx.path.slice('/api/docs/'.length))) {
      await send(ctx as never, ctx.path.slice('/api/docs'.length), { root, brotli: false, gzip: false });
      ctx.set('Cache-Control', 'public, max-age=3600');
      if (ctx.fresh) ctx.status = 304;
    } else await next();
  };
  return (ctx, next) => (isRead(ctx) && PATH.test(ctx.path) ? answer(ctx, next) : next());
}

const isRead = ({ method }: Context): boolean => method === 'GET' || method === 'HEAD';
