/** Bundled with the libraries (`vite.config.ts`), so that React DOM initializes in their task and not in the app's. */
import { createRoot } from 'react-dom/client';

export const rootOf = (element: HTMLElement): ReturnType<typeof createRoot> => createRoot(element);
