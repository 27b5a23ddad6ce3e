/** The server for assistants in this process. What it is made of is loaded with its first request. */

import type { Mcp } from '../deps/mcp.ts';
import type { DispatchDeps } from '../dispatch/dispatch.ts';

/** `parts`: asked for with the first request. */
export function createMcp(parts: () => DispatchDeps): Mcp {
  const calls = { answered: 0, refused: 0, failed: 0 };
  let loaded: ReturnType<typeof load> | null = null;
  async function load() {
    const { openMcp } = await import('./openMcp.ts');
    const given = parts();
    return openMcp(given, (tool, outcome) => {
      calls[outcome] += 1;
      given.deps.metrics.toolCalled(tool, outcome);
    });
  }
  const opened = () => {
    loaded ??= load();
    return loaded;
  };
  return {
    handle: async (request) => (await opened()).handle(request),
    discover: async () => (await opened()).discover(),
    calls: () => ({ ...calls }),
  };
}
