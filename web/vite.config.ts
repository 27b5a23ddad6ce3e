import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { preloads, vendorFirst } from './preloads.ts';

const server = `http://127.0.0.1:${process.env.PORT ?? 3000}`;

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss(), vendorFirst(), preloads()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    // The content security policy knows no data: addresses.
    assetsInlineLimit: 0,
    target: 'es2023',
    rolldownOptions: {
      output: {
        // Few files, as each costs a request: what every page needs, what all forms need, and the small parts of what lies behind them.
        // What brings a library of its own along (dialogs, menus, markdown) stays by itself.
        codeSplitting: {
          groups: [
            { name: 'vendor', tags: ['$initial'], test: /node_modules/, priority: 3 },
            { name: 'app', tags: ['$initial'], priority: 2 },
            { name: 'forms', test: /[\\/]web[\\/](?:ui[\\/](?:Field|NewPasswordFields|PasswordStrength|pageTitle)|app[\\/]SampleLink)\./, priority: 1 },
            { name: 'ui', test: /lucide-react|[\\/]web[\\/]ui[\\/](?!Dialog|Markdown|Menu\.|Tabs|ToastViewport)/ },
          ],
        },
      },
    },
  },
  server: {
    proxy: {
      // Not the modules of the folder `api` itself.
      '^/api/(?!\\w+\\.ts)': {
        target: server,
        ws: true,
        configure: (proxy) => {
          // The realtime socket answers its own origin only.
          proxy.on('proxyReqWs', (request) => request.setHeader('Origin', server));
        },
      },
    },
  },
});
