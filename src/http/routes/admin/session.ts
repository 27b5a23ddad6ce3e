/**
 * The time limit of admin rights. Reads never extend it, so that a page left open cannot: the app reports what the
 * admin does on it.
 */
import { administersUntil } from '../../auth/adminSession.ts';
import { AdminSessionResponse } from '../../contract/admin/session.ts';
import type { HttpDeps } from '../../deps/deps.ts';
import type { Caller } from '../../request/caller.ts';
import { route } from '../../routing/route.ts';

export const getAdminSession = route({
  method: 'GET',
  path: '/admin/session',
  access: 'admin',
  summary: 'Get the time until admin routes ask for a new log-in',
  response: AdminSessionResponse,
  handler: ({ deps, caller }) => timeLeft(deps, caller),
});

/** Like every write by an admin, it has been noted by now. */
export const postAdminSession = route({
  method: 'POST',
  path: '/admin/session',
  access: 'admin',
  summary: 'Report that the admin is active, which puts off the idle limit',
  response: AdminSessionResponse,
  handler: ({ deps, caller }) => timeLeft(deps, caller),
});

async function timeLeft(deps: HttpDeps, caller: Caller): Promise<AdminSessionResponse> {
  const ms = Date.parse(await administersUntil(deps, caller)) - Date.parse(deps.now());
  return { success: true, data: { seconds_left: Math.max(0, Math.ceil(ms / 1_000)) } };
}
