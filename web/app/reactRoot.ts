/** Stands among the libraries in the build (`vite.config.ts`), so that React DOM begins in their task and not in the app's. */
import { createRoot } from 'react-dom/client';

export const rootOf = (element: HTMLElement): ReturnType<typeof createRoot> => createRoot(element);
