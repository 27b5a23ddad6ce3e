import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { filesUnder } from '../../scripts/filesUnder.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

const withoutCode = (text: string): string => text.replace(/```[\s\S]*?```|`[^`\n]*`/g, '');

describe('links between the documents', () => {
  it('lead to existing files', () => {
    const documents = [
      ...readdirSync(root),
      ...readdirSync(join(root, 'docs'), { recursive: true }).map((name) => `docs/${name}`),
    ].filter((name) => name.endsWith('.md'));
    const links = documents.flatMap((document) =>
      [...withoutCode(readFileSync(join(root, document), 'utf8')).matchAll(/\]\(([^)\s#]+)[^)]*\)/g)]
        .map((match) => match[1] ?? '')
        .filter((target) => !/^[a-z]+:/.test(target))
        .map((target) => ({ document, target })),
    );
    expect(links.length).toBeGreaterThan(10);
    expect(links.filter(({ document, target }) => !existsSync(join(root, dirname(document), target)))).toEqual([]);
  });
});

describe('the recipes', () => {
  const text = readFileSync(join(root, 'docs/recipes.md'), 'utf8');
  const quoted = [...new Set([...text.matchAll(/`([^`\n]+)`/g)].map((match) => match[1] ?? ''))];

  it('name files and folders that exist', () => {
    const paths = quoted.filter((name) => /^(?:src|web|tests|docs|scripts)\/[\w./-]+$/.test(name));
    expect(paths.length).toBeGreaterThan(50);
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('name what the code names so', () => {
    const words = new Set(
      ['src', 'web', 'tests', 'scripts'].flatMap((folder) => filesUnder(root, folder)).flatMap(wordsIn),
    );
    // Several words in one, as names are written.
    const names = quoted.filter((name) => /^(?:[A-Z][A-Z_]+|\w*[a-z][A-Z]\w*)$/.test(name));
    expect(names.length).toBeGreaterThan(50);
    expect(names.filter((name) => !words.has(name))).toEqual([]);
  });
});

const wordsIn = (file: string): readonly string[] => readFileSync(join(root, file), 'utf8').match(/\w+/g) ?? [];
