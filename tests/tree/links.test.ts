import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

describe('links between the documents', () => {
  it('lead to existing files', () => {
    const documents = [...readdirSync(root), ...readdirSync(join(root, 'docs'), { recursive: true }).map((name) => `docs/${name}`)].filter((name) =>
      name.endsWith('.md'),
    );
    const links = documents.flatMap((document) =>
      [...readFileSync(join(root, document), 'utf8').matchAll(/\]\(([^)\s#]+)[^)]*\)/g)]
        .map((match) => match[1] ?? '')
        .filter((target) => !/^[a-z]+:/.test(target))
        .map((target) => ({ document, target })),
    );
    expect(links.length).toBeGreaterThan(10);
    expect(links.filter(({ document, target }) => !existsSync(join(root, dirname(document), target)))).toEqual([]);
  });
});
