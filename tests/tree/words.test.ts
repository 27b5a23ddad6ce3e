/**
 * One word for one thing, as the glossary in CONTRIBUTING.md says: in texts of the product, in documents, in comments
 * and in names of tests. What the specification quotes stays as it is.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { filesUnder } from '../../scripts/filesUnder.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

type Row = {
  readonly wanted: string;
  readonly discouraged: RegExp;
  readonly why: string;
  /** In texts that users read alone: code and its comments have words of their own. */
  readonly onlyTexts?: true;
};

const ROWS: readonly Row[] = [
  { wanted: 'email', discouraged: /\be-mails?\b/gi, why: 'one spelling' },
  // In capitals: the column of the specification, and the type of schema.org.
  { wanted: 'site', discouraged: /\bweb ?sites?\b(?!-)/g, why: 'one word for what a user submits' },
  {
    wanted: 'audit',
    discouraged: /\b(?:an|each|every|one|per|your|another|new|past|running|finished) anal[yi]s[ei]s\b/gi,
    why: 'an analysis is called an audit',
  },
  { wanted: 'shared link', discouraged: /\bshar(?:e|ing) links?\b/gi, why: 'one name for the thing and its page' },
  { wanted: 'task', discouraged: /\bto-dos?\b/gi, why: '"todo" is the name of a status only' },
  { wanted: 'log in', discouraged: /\bsign(?:s|ing)?[- ]ins?\b|\bsigned in\b/gi, why: 'too close to "sign up"' },
  {
    wanted: 'team member',
    discouraged: /\b(?:collaborator|co-?worker|colleague|team-?mate)s?\b/gi,
    why: 'one name for people who share an account’s audits',
  },
  { wanted: 'fix', discouraged: /\bmend(?:s|ed|ing)?\b/gi, why: 'old-fashioned' },
  { wanted: 'back-off', discouraged: /\bpatience\b/gi, why: 'the usual term' },
  { wanted: 'context', discouraged: /\bdesks?\b/gi, why: 'the usual term' },
  { wanted: 'again', discouraged: /\banew\b/gi, why: 'old-fashioned' },
  { wanted: 'log out', discouraged: /\bsign(?:s|ed|ing)?[- ]out\b/gi, why: 'as "log in"', onlyTexts: true },
  {
    wanted: 'recheck',
    discouraged: /\blook(?:s|ed)? at again\b|\bchecked again\b/gi,
    why: 'one verb',
    onlyTexts: true,
  },
  {
    wanted: 'audit',
    discouraged: /\b(?:this|earlier|later|finished|two|other) runs?\b/gi,
    why: 'a run is called an audit',
    onlyTexts: true,
  },
  { wanted: 'optional', discouraged: /\bsuggestions?\b/gi, why: 'one word for what costs nothing', onlyTexts: true },
  { wanted: 'not scored', discouraged: /\bnot judged\b/gi, why: 'it has no score', onlyTexts: true },
  { wanted: 'capped at', discouraged: /\bheld at\b/gi, why: 'one name for the limit', onlyTexts: true },
  { wanted: 'failed to load', discouraged: /\berror loading\b/gi, why: 'one form of error heads', onlyTexts: true },
  {
    wanted: 'point in time',
    discouraged: /\bas (?:it|they) stood\b|\bpast moment\b/gi,
    why: 'old-fashioned',
    onlyTexts: true,
  },
  { wanted: 'default', discouraged: /\bas delivered\b/gi, why: 'the usual term', onlyTexts: true },
  { wanted: 'canceled', discouraged: /\bcancelled\b/g, why: 'US English', onlyTexts: true },
  {
    wanted: 'American spelling',
    discouraged: /\b(?:behaviour|colour|favour|honour|neighbour|whilst|learnt)\w*/gi,
    why: 'texts are US English',
  },
];

/** Quoted from the specification, or the names and words of others. */
const QUOTED: readonly string[] = [
  'Job ID is required to create a share link',
  'Failed to create share link',
  'Create share link',
  'Share link',
  'Please run a new analysis to generate actions',
  'Error Loading Actions',
  'Error Loading Jobs',
  'Error loading system status',
  // What earlier versions wrote, which is recognized.
  'A suggestion that costs no points',
  'AI features and your website',
  'twitter-for-websites',
  'content="website"',
  // A language model knows the usual word.
  'the owner of a website',
];

/**
 * Files whose words are those of others: invented sites, lists of words to recognize, vocabularies, and the glossary.
 */
const OTHERS =
  /^(?:src\/demoSite\/|src\/audit\/checks\/(?:phrases|lookups\/roles|schemaOrg\/)|src\/integrations\/analyst\/grounding\.ts|docs\/(?:checks|benchmarks)\.md|tests\/tree\/words\.test\.ts)/;

const STRING = String.raw`'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|\`(?:[^\`\\]|\\.)*\``;
const COMMENT = String.raw`\/\*[\s\S]*?\*\/|(?<![:\w'"\`])\/\/.*`;
/** Comments, strings, and text between tags. */
const IN_CODE = new RegExp(`${COMMENT}|${STRING}|(?<==?>|")>?[^<>{}=;()]+(?=<)|^ +[A-Z][\\w ,.’]+$`, 'gm');
/** Comments and names of tests; other strings there are values. */
const IN_TESTS = new RegExp(`${COMMENT}|(?:\\b(?:it|test|describe)(?:\\.\\w+)*|\\))\\(\\s*(?:${STRING})`, 'gm');
/** The glossary itself names what is discouraged. */
const GLOSSARY = /^## Words$[\s\S]*/m;
/** Names and examples in code, and expressions within texts. */
const CODE = /```[\s\S]*?```|(?<=[^`\n])`[^`\n]+`|\$\{[^}]*\}/g;

const hidden = (text: string): string => text.replaceAll(/[^\n]/g, '_');

function proseOf(file: string, text: string): readonly { readonly text: string; readonly at: number }[] {
  if (file.endsWith('.md')) return [{ text: file === 'CONTRIBUTING.md' ? text.replace(GLOSSARY, '') : text, at: 0 }];
  const pattern = /^(?:tests|bench)\//.test(file) ? IN_TESTS : IN_CODE;
  return [...text.matchAll(pattern)]
    .filter(([part]) => /[a-z] \S|\S [a-z]/i.test(part))
    .map((match) => ({ text: match[0], at: match.index }));
}

function wordsIn(file: string, text: string): readonly string[] {
  return proseOf(file, text).flatMap(({ text: part, at }) => {
    const own = QUOTED.reduce((rest, quoted) => rest.replaceAll(quoted, hidden), part.replaceAll(CODE, hidden));
    const isText = /^(?:src|web)\//.test(file) && !/^\/[/*]/.test(part);
    return ROWS.filter(({ onlyTexts }) => isText || !onlyTexts).flatMap(({ wanted, discouraged, why }) =>
      [...own.matchAll(discouraged)].map(
        (match) =>
          `${file}:${text.slice(0, at + match.index).split('\n').length}: "${match[0]}", say "${wanted}" (${why})`,
      ),
    );
  });
}

const documents = [
  ...readdirSync(root),
  ...readdirSync(join(root, 'docs'), { recursive: true }).map((name) => `docs/${name}`),
].filter((name) => name.endsWith('.md'));
const files = [
  ...documents,
  ...['src', 'web', 'tests', 'bench', 'scripts'].flatMap((folder) => filesUnder(root, folder)),
].filter((file) => /\.(?:md|tsx?|mjs)$/.test(file) && !OTHERS.test(file));

describe('words of the glossary', () => {
  it('are used instead of their synonyms in product texts, documents, comments and test names', () => {
    expect(files.length).toBeGreaterThan(1_500);
    expect(files.flatMap((file) => wordsIn(file, readFileSync(join(root, file), 'utf8')))).toEqual([]);
  });

  it('stand in the glossary of CONTRIBUTING.md', () => {
    const glossary = GLOSSARY.exec(readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8'))?.[0] ?? '';
    expect(ROWS.filter(({ wanted }) => !glossary.includes(wanted)).map(({ wanted }) => wanted)).toEqual([]);
  });

  it.each([
    ['docs/a.md', 'One\n\nSend an e-mail.', 'docs/a.md:3: "e-mail"'],
    ['src/a.ts', 'const a = 1;\n/** Read when the user signs in. */', 'src/a.ts:2: "signs in"'],
    ['src/a.ts', 'const website = 1; // its web site', 'src/a.ts:1: "web site"'],
    ['src/a.ts', "throw new Error('No collaborator has it');", 'src/a.ts:1: "collaborator"'],
    ['web/a.tsx', '<p className="x">Your share links</p>', 'web/a.tsx:1: "share links"'],
    ['web/a.tsx', '<p>\n  Every new analysis counts\n</p>', 'web/a.tsx:2: "new analysis"'],
    ['web/a.tsx', '<p>This run is compared</p>', 'web/a.tsx:1: "This run"'],
    ['src/a.ts', "const text = 'It was cancelled today';", 'src/a.ts:1: "cancelled"'],
    ['tests/a.test.ts', "it('shows the to-dos of a page', () => {});", 'tests/a.test.ts:1: "to-dos"'],
    ['tests/a.test.ts', "it.each([1, 2])('is built anew: %s', () => {});", 'tests/a.test.ts:1: "anew"'],
  ])('are missed in %s: %s', (file, text, found) => {
    expect(wordsIn(file, text)).toEqual([expect.stringContaining(found)]);
  });

  it.each([
    ['src/a.ts', 'const website = signIn(mend);'],
    ['src/a.ts', "/** `website` sorts by site. */ const label = 'Analyzing Website';"],
    ['src/a.ts', `const text = \`Begin again: \${anew}\`;`],
    ['web/a.tsx', '<Button>Create share link</Button>'],
    ['src/a.ts', '/** The job was cancelled in this run. */'],
    ['tests/a.test.ts', "it('says that this run was cancelled', () => {});"],
    ['tests/a.test.ts', "expect(text).toBe('It was mended, a colleague says');"],
  ])('are not missed in %s: %s', (file, text) => {
    expect(wordsIn(file, text)).toEqual([]);
  });
});
