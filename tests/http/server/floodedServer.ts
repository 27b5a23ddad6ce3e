/** The server with little memory. Says its port, and ends with the process that started it. */
import { once } from 'node:events';
import Koa from 'koa';
import { createServer } from '../../../src/http/server/server.ts';

const server = createServer({ drainMs: 0 });
const koa = new Koa();
koa.silent = true;
koa.use(async (ctx) => {
  if (ctx.method === 'POST') await once(ctx.res, 'close');
  ctx.body = 'x';
});
server.handle(koa);
process.stdout.write(`${await server.listen(0, '127.0.0.1')}\n`);
process.stdin.resume().on('end', () => process.exit());
