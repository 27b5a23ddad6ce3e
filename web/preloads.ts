/**
 * The scripts each route needs, listed in its HTML so that the browser loads them in parallel rather than one after the
 * other.
 */
import type { Plugin } from 'vite';
import { paths } from './ui/paths.ts';

const SIGNED_IN = ['app/SignedInArea.tsx', 'app/SignedInNav.tsx'];
const page = (name: string): string => `app/pages/${name}.tsx`;

/** By route pattern, as in the router. */
const MODULES: Readonly<Record<string, readonly string[]>> = {
  [paths.login]: [page('LoginPage')],
  [paths.signup]: [page('SignupPage')],
  [paths.forgotPassword]: [page('ForgotPasswordPage')],
  [paths.resetPassword]: [page('ResetPasswordPage')],
  [paths.sample]: [page('SamplePage')],
  [`${paths.shared}/:token`]: [page('SharedPage')],
  [`${paths.share}/:token`]: [page('SharedTextsPage')],
  [paths.home]: [...SIGNED_IN, page('HomePage'), 'features/jobs/list/JobsList.tsx'],
  [paths.actions]: [...SIGNED_IN, page('ActionsPage')],
  [`${paths.jobs}/:jobId`]: [...SIGNED_IN, page('JobPage')],
  [`${paths.jobs}/:jobId/page`]: [...SIGNED_IN, page('JobPagePage')],
  [paths.shares]: [...SIGNED_IN, page('SharesPage')],
  [paths.account]: [...SIGNED_IN, page('AccountPage')],
  [paths.plans]: [...SIGNED_IN, page('PlansPage')],
  [paths.subscription]: [...SIGNED_IN, page('PlansPage')],
  [paths.subscriptionSuccess]: [...SIGNED_IN, page('PlansPage')],
};

/**
 * Moves the libraries' initialization into a script, and so a task, of its own: the browser may paint between two
 * scripts.
 */
export function vendorFirst(): Plugin {
  return {
    name: 'vendor-first',
    transformIndexHtml: {
      order: 'post',
      handler: (html) => {
        const vendor = /\s*<link rel="modulepreload" crossorigin href="(\/assets\/vendor-[^"]+)">/.exec(html);
        if (!vendor) return html;
        return html
          .replace(vendor[0], '')
          .replace(
            '<script type="module"',
            () => `<script type="module" crossorigin src="${vendor[1]}"></script>\n    <script type="module"`,
          );
      },
    },
  };
}

/** Emits `preloads.json`: route → file URLs, without those that the page loads anyway. */
export function preloads(): Plugin {
  return {
    name: 'preloads',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
        const importsOf = (fileName: string, into: Set<string>): Set<string> => {
          if (into.has(fileName)) return into;
          into.add(fileName);
          for (const imported of chunks.find((chunk) => chunk.fileName === fileName)?.imports ?? [])
            importsOf(imported, into);
          return into;
        };
        const entry = chunks.find((chunk) => chunk.isEntry);
        if (!entry) throw new Error('The build has no entry');
        const eager = importsOf(entry.fileName, new Set());
        const filesOf = (module: string): readonly string[] => {
          const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/web/${module}`));
          if (!chunk) throw new Error(`No chunk of the build is ${module}`);
          return [...importsOf(chunk.fileName, new Set())];
        };
        const source = Object.fromEntries(
          Object.entries(MODULES).map(([route, modules]) => [
            route,
            [...new Set(modules.flatMap(filesOf))].filter((file) => !eager.has(file)).map((file) => `/${file}`),
          ]),
        );
        this.emitFile({ type: 'asset', fileName: 'preloads.json', source: JSON.stringify(source) });
      },
    },
  };
}
