/** Packages are loaded once wherever the checkout is, also in a folder whose name Vitest takes for a kind of module. */
import { describe, expect, it } from 'vitest';
import config from '../../vitest.config.ts';

type Project = {
  readonly test: {
    readonly name: string;
    readonly environment: string;
    readonly server?: { readonly deps: { readonly external: readonly RegExp[] } };
  };
};

const { projects } = (config as unknown as { test: { projects: readonly Project[] } }).test;
const onNode = projects.filter(({ test }) => test.environment === 'node').map(({ test }) => [test.name, test] as const);

describe('packages', () => {
  it.each(onNode)('are left to Node by the tests of the project %s', (_, { server }) => {
    for (const above of ['/src', '/es/app', '/esm/app']) {
      const path = `${above}/node_modules/@eventstore/db-client/generated/streams_pb.js`;
      expect(
        server?.deps.external.some((pattern) => pattern.test(path)),
        path,
      ).toBe(true);
    }
  });

  it('are those of every project that needs no browser', () => {
    expect(onNode.map(([name]) => name)).toEqual(['node', 'alone', 'e2e', 'kills']);
  });
});
