/** /api/openapi.json and its page at /api/docs: Swagger UI served from here, without any inline script. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import type { Context, Middleware } from 'koa';
import { openApiDocument } from '../openApi/openApi.ts';
import { API } from '../request/apiPrefix.ts';
import type { RateLimiter } from '../request/rateLimits.ts';
import type { AnyRoute } from '../routing/route.ts';
import { type KeptFile, keptFile } from './keptFile.ts';

const ASSETS = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];

/** Other paths are passed on immediately. */
const PATH = /^\/api\/(docs|openapi\.json$)/;

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API · SEO Workbench</title>
<link rel="icon" href="/api/docs/favicon-32x32.png">
<link rel="stylesheet" href="/api/docs/swagger-ui.css">
<link rel="stylesheet" href="/api/docs/page.css">
<script src="/api/docs/theme.js"></script>
</head>
<body>
<nav aria-label="Main"><a href="/account/api">Back to API keys and webhooks</a></nav>
<main id="docs" aria-label="API documentation"></main>
<script src="/api/docs/swagger-ui-bundle.js"></script>
<script src="/api/docs/init.js"></script>
</body>
</html>
`;

/** Sets the library's own dark mode from the app's theme or else the system's. Runs before the first paint. */
const THEME = `(() => {
  let theme = null;
  try {
    theme = localStorage.getItem('theme');
  } catch {}
  const dark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.classList.toggle('dark-mode', dark);
})();
`;

const STYLE = `body { margin: 0; background: #f6f6f3; }
nav { padding: 16px 24px; border-bottom: 1px solid #84867f66; font: 14px/1.5 system-ui, sans-serif; }
nav a { color: #0a5a86; }
.dark-mode body { background: #111312; }
.dark-mode nav a { color: #74bdea; }
`;

const INIT = `SwaggerUIBundle({ url: '/api/openapi.json', dom_id: '#docs', deepLinking: true, tryItOutEnabled: true, validatorUrl: null });
`;

/** Files written here rather than taken from the library: path → type and text. */
const OWN: Readonly<Record<string, readonly [type: string, text: string]>> = {
  '/api/docs': ['html', PAGE],
  '/api/docs/': ['html', PAGE],
  '/api/docs/init.js': ['js', INIT],
  '/api/docs/theme.js': ['js', THEME],
  '/api/docs/page.css': ['css', STYLE],
};

/** Their addresses have no version: they are checked now and then, the page and what belongs to it each time. */
const OF_LIBRARY = 'public, max-age=3600';
const OF_OURS = 'no-cache';

export function docsPage(
  routes: readonly AnyRoute[],
  info: { readonly version: string; readonly appUrl: string },
  limiter: Pick<RateLimiter, 'count'>,
): Middleware {
  const root = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  const files = new Map<string, KeptFile>();

  // Made when it is first requested: the document takes a tenth of a second, which no start should wait for.
  function make(path: string): KeptFile | null {
    if (path === '/api/openapi.json')
      return keptFile('json', JSON.stringify(openApiDocument(routes, API, info)), OF_OURS);
    const own = OWN[path];
    if (own) return keptFile(...own, OF_OURS);
    const asset = ASSETS.find((name) => path === `/api/docs/${name}`);
    return asset === undefined ? null : keptFile(extname(asset), readFileSync(join(root, asset)), OF_LIBRARY);
  }

  return async (ctx, next) => {
    if (!isRead(ctx) || !PATH.test(ctx.path)) return next();
    const file = files.get(ctx.path) ?? make(ctx.path);
    if (!file) return next();
    files.set(ctx.path, file);
    await limiter.count('address', ctx.ip);
    await file(ctx);
  };
}

const isRead = ({ method }: Context): boolean => method === 'GET' || method === 'HEAD';
