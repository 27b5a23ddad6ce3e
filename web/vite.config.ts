import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const server = `http://127.0.0.1:${process.env.PORT ?? 3000}`;

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    // The content security policy knows no data: addresses.
    assetsInlineLimit: 0,
    target: 'es2023',
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
