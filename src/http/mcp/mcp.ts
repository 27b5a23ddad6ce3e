/** The server for assistants in this process. What it is made of is loaded with its first request. */

import type { Mcp, ToolCalls } from '../deps/mcp.ts';
import type { DispatchDeps } from '../dispatch/dispatch.ts';
import { createToolUses, type ToolUses } from '../usage/toolUses.ts';

const NONE: ToolCalls = { answered: 0, refused: 0, failed: 0 };

/** `parts`: asked for with the first request. */
export function createMcp(parts: () => DispatchDeps): Mcp {
  const calls = new Map<string, ToolCalls>();
  let uses: ToolUses | null = null;
  let loaded: ReturnType<typeof load> | null = null;
  async function load() {
    const { openMcp } = await import('./openMcp.ts');
    const given = parts();
    const counted = createToolUses(given.deps);
    uses = counted;
    return openMcp(given, (tool, outcome, keyId) => {
      const before = calls.get(tool) ?? NONE;
      calls.set(tool, { ...before, [outcome]: before[outcome] + 1 });
      given.deps.metrics.toolCalled(tool, outcome);
      counted.note(keyId, tool);
    });
  }
  const opened = () => {
    loaded ??= load();
    return loaded;
  };
  return {
    handle: async (request) => (await opened()).handle(request),
    discover: async () => (await opened()).discover(),
    calls: () => calls,
    close: async () => uses?.close(),
  };
}
