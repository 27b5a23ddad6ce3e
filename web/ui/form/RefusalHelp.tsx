import { createContext, type ReactNode, useContext } from 'react';

/** What helps with a refusal, by its code. The app provides it, because no feature knows the others. */
export const RefusalHelps = createContext<Readonly<Partial<Record<string, ReactNode>>>>({});

/** Shown below a refusal's text. */
export function RefusalHelp({ code }: { code: string | null }) {
  return useContext(RefusalHelps)[code ?? ''] ?? null;
}
