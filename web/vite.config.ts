import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { preloads, vendorFirst } from './preloads.ts';

const server = `http://127.0.0.1:${process.env.PORT ?? 3000}`;

/** The router's package exports its development build to every bundler; its warnings are useless to visitors. */
const routerFile = (name: string): string =>
  fileURLToPath(new URL(`../node_modules/react-router/dist/production/${name}.mjs`, import.meta.url));

export default defineConfig(({ command }) => ({
  root: import.meta.dirname,
  resolve: {
    alias:
      command === 'build'
        ? [
            { find: /^react-router$/, replacement: routerFile('index') },
            { find: /^react-router\/dom$/, replacement: routerFile('dom-export') },
          ]
        : [],
  },
  plugins: [react(), tailwindcss(), vendorFirst(), preloads()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    // The content security policy does not allow data: URLs.
    assetsInlineLimit: 0,
    // Browsers that run this target support it, or work without it.
    modulePreload: { polyfill: false },
    target: 'es2023',
    rolldownOptions: {
      output: {
        // Scripts name each other: one character less in each name saves 80 bytes before the log-in page is usable, and
        // 160 before the jobs page is.
        chunkFileNames: 'assets/[name]-[hash:7].js',
        // Few chunks, as each costs a request: what every page needs, what all forms need, and the small parts behind
        // them. Parts with a library of their own (dialogs, menus, markdown) stay separate.
        codeSplitting: {
          groups: [
            { name: 'vendor', tags: ['$initial'], test: /node_modules|[\\/]web[\\/]app[\\/]reactRoot\./, priority: 3 },
            { name: 'app', tags: ['$initial'], priority: 2 },
            {
              name: 'forms',
              test: /[\\/]web[\\/](?:ui[\\/](?:form[\\/](?:Field|EmailField|PasswordField)|pageTitle)|app[\\/]SampleLink)\./,
              priority: 1,
            },
            // For choosing a password; the log-in form does not need it.
            {
              name: 'passwords',
              test: /[\\/]web[\\/]ui[\\/]form[\\/](?:NewPasswordFields|PasswordStrength)\./,
              priority: 1,
            },
            // What the user's audits are paid from. Without the libraries and calls behind it, which visitors' pages
            // need too.
            {
              name: 'billing',
              test: /[\\/](?:features[\\/]jobs[\\/]useRunAgain|app[\\/]buying[\\/]usePaid|api[\\/]creditsFailure|subscription[\\/](?:subscriptionApi|tiers)|src[\\/]model[\\/]tiers)\./,
              includeDependenciesRecursively: false,
            },
            {
              name: 'jobs',
              test: /[\\/]web[\\/]ui[\\/]jobs[\\/](?!StageList)|[\\/]src[\\/]model[\\/]jobs\.|[\\/]features[\\/]jobs[\\/](?:ActionsButton|queue|steadyEta|list[\\/](?:QueuePlace|StageAnnouncer))\./,
            },
            {
              name: 'ui',
              test: /lucide-react(?!.*(?:credit-card|key-round|message-square-text|webhook|[\\/](?:activity|arrow-right|arrow-up-right|bookmark|chevron-left|chart-(?:column|line)|columns-3|history|keyboard|layout-list|list-filter|mails|maximize-2|minimize-2|minus|panel-left|search|square-kanban|users)\.))|[\\/]web[\\/]ui[\\/](?!overlay[\\/](?:Dialog|FormDialog|KeysDialog|Menu|Toast\w*)\.|text[\\/](?:Markdown|money)\.|form[\\/](?:SelectField|TextEditor|CodeEditor|codeEditorTheme)\.|jobs[\\/]|reports[\\/]|grid[\\/]|table[\\/]|form[\\/](?:LiveSearch|SearchForm|SingleKeysSwitch|useTyped)\.|singleKeys|useWide|FilterBar|adminPaths|OutboxNote|Tabs)/,
            },
          ],
        },
      },
    },
  },
  server: {
    proxy: {
      // Not the modules in the folder `api`.
      '^/api/(?!\\w+\\.ts)': {
        target: server,
        ws: true,
        configure: (proxy) => {
          // The realtime socket accepts only its own origin.
          proxy.on('proxyReqWs', (request) => request.setHeader('Origin', server));
        },
      },
    },
  },
}));
