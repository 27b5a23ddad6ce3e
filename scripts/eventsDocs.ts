/**
 * The catalogue of events as a page, made from the registry of stored events and from the code that writes and reads
 * them.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { EVENTS_WITHOUT_PROJECTION } from '../src/domain/eventTypes.ts';
import {
  type ClassifiedField,
  classifiedFields,
  type FieldClass,
} from '../src/domain/stored/catalogue/fieldClasses.ts';
import type { FieldKind } from '../src/domain/stored/catalogue/storedFields.ts';
import { STREAM_KINDS, type StreamKind } from '../src/domain/stored/catalogue/streamKinds.ts';
import { redacted } from '../src/domain/stored/redaction.ts';
import { STORED } from '../src/domain/stored/registry.ts';
import { versionOf } from '../src/domain/stored/storedType.ts';
import { openSqliteEventStore } from '../src/eventStore/sqlite/sqlite.ts';
import { eventWords } from '../src/model/history/eventWords.ts';
import { PROJECTIONS } from '../src/projections/all.ts';
import { openSqliteReadModels } from '../src/readModels/sqlite/sqlite.ts';
import { createFollowers } from '../src/work/followers/all.ts';
import { operatorContext } from '../src/work/operate.ts';
import { WORK_RULES } from '../src/work/rules.ts';
import { filesUnder } from './filesUnder.ts';

type Type = keyof typeof STORED;

export type EventFacts = {
  /** Files that write it. */
  readonly writtenBy: readonly string[];
  readonly readModels: readonly string[];
  /** Kinds of work, with what it does to them. */
  readonly work: readonly string[];
  readonly followers: readonly string[];
};

/** Of every type, who writes and who reads it. `root`: of the tree. */
export async function eventFacts(root: string): Promise<ReadonlyMap<string, EventFacts>> {
  const writers = writersIn(root);
  const followers = await followerTypes();
  return new Map(
    Object.keys(STORED).map((type) => [
      type,
      {
        writtenBy: writers.get(type) ?? [],
        readModels: PROJECTIONS.filter(({ handles }) => (handles as readonly string[]).includes(type)).map(
          ({ name }) => name,
        ),
        work: WORK_RULES.flatMap(({ kind, opens, closes, defers = {} }) =>
          Object.entries({ opens, closes, defers }).flatMap(([does, rows]) =>
            type in rows ? [`${does} ${kind}`] : [],
          ),
        ),
        followers: followers.flatMap(({ name, types }) => (types.includes(type) ? [name] : [])),
      },
    ]),
  );
}

/** Declared, stored, folded, worded: nobody writes an event there. */
const NO_WRITERS = /\/events\.ts$|\/eventTypes\.ts$|^src\/(projections|domain\/stored|model|history|reports|cli)\//;
const SPELLED_OUT = /\btype: ([^,;{}]*'[A-Z]\w+'[^,;{}]*),\s*data\b/g;
/** Lines that compare. */
const COMPARES = /\bcase '|isOf\(|===|eventsOf\(/;

/**
 * An event is written where the code spells it out: `{ type: 'JobQueued', data: … }`; else where it is named without
 * being compared, for others to write.
 */
function writersIn(root: string): ReadonlyMap<string, readonly string[]> {
  const [spelled, named] = [new Map<string, Set<string>>(), new Map<string, Set<string>>()];
  const note = (where: Map<string, Set<string>>, text: string, file: string): void => {
    for (const type of text.match(/(?<=')[A-Z]\w+(?=')/g) ?? [])
      if (type in STORED) where.set(type, (where.get(type) ?? new Set()).add(file));
  };
  for (const file of filesUnder(root, 'src')) {
    if (NO_WRITERS.test(file)) continue;
    const text = readFileSync(join(root, file), 'utf8');
    for (const [, value = ''] of text.matchAll(SPELLED_OUT)) note(spelled, value, file);
    for (const line of text.split('\n')) if (!COMPARES.test(line)) note(named, line, file);
  }
  return new Map(Object.keys(STORED).map((type) => [type, [...(spelled.get(type) ?? named.get(type) ?? [])]]));
}

/** Followers are made with what they need; which events they take depends on none of it. */
async function followerTypes() {
  const store = openSqliteEventStore({ file: ':memory:' });
  const readModels = openSqliteReadModels({ file: ':memory:', log: pino({ level: 'silent' }) });
  const parts = {
    store,
    readModels,
    snapshots: readModels.snapshots,
    mailer: null,
    payments: null,
    adminEmail: undefined,
    appUrl: 'https://seo.example.com',
    itemsFile: () => '',
    recordsRuns: 5,
  };
  const followers = createFollowers({ ...parts, context: () => operatorContext(store) }).map(({ name, types }) => ({
    name,
    types,
  }));
  await readModels.close();
  await store.close();
  return followers;
}

/** `frozen`: the folder of one event of each type and version, as it was written. */
export function eventsPage(facts: ReadonlyMap<string, EventFacts>, frozen: string): string {
  const count = Object.keys(STORED).length;
  const head = [
    '# The events',
    `${count} types of events in ${STREAM_KINDS.length} kinds of streams. This page is made from the registry of stored events (\`src/domain/stored/\`) and from the code that writes and reads them, by \`npm run docs\`; do not edit it by hand.`,
    `Beside its data every event has a position in the log, its stream and its revision there, an id, the time (\`at\`), who did it (\`actor\`: \`user\`, \`apiKey\`, \`admin\`, \`worker\`, \`system\` or \`anonymous\`, with an id, and for whom), what led to it (\`correlationId\`: the request, or the event that was taken up; \`causationId\`: the command) and the version of its data. \`npm run events -- export\` has them as columns (\`happened_at\`, \`actor_kind\` …): see [analysts](analysts.md).`,
    'The last column of each table says what a field tells of people, and so what becomes of it in an anonymised export:',
    [
      '| | means | anonymised |',
      '|---|---|---|',
      ...LEGEND.map(([name, means, becomes]) => `| ${name} | ${means} | ${becomes} |`),
    ].join('\n'),
    [
      '| stream | about | types |',
      '|---|---|---|',
      ...STREAM_KINDS.map(
        (kind) =>
          `| [\`${streamName(kind)}\`](#${anchor(kind)}) | ${kind.about ?? ''} | ${Object.keys(kind.types).length} |`,
      ),
    ].join('\n'),
  ];
  return `${[...head, ...STREAM_KINDS.map((kind) => streamText(kind, facts, frozen))].join('\n\n')}\n`;
}

const LEGEND: readonly (readonly [name: string, means: string, becomes: string])[] = [
  ['', 'nothing of anyone: numbers, times, words of the product', 'stays'],
  ['id', 'an id of a thing or of somebody', 'a pseudonym that still joins'],
  ['site', 'an address or host of a site', 'a pseudonym of the host, without path'],
  ['personal', 'who somebody is, or a text of an admin about them', '`[personal]`'],
  ['text', 'what users, admins and language models wrote, or what stands on a site', '`[text]`'],
  ['secret', 'never in any export', '`[redacted]`'],
];

const streamName = ({ kind, about }: StreamKind): string =>
  about === null ? kind : `${kind}-{${about === 'kind-itemId' ? 'kind}-{itemId' : about}}`;
const anchor = (kind: StreamKind): string => streamName(kind).toLowerCase().replace(/[{}]/g, '');

function streamText(kind: StreamKind, facts: ReadonlyMap<string, EventFacts>, frozen: string): string {
  return [
    `## \`${streamName(kind)}\``,
    ...Object.keys(kind.types).map((type) => typeText(type as Type, facts.get(type), frozen)),
  ].join('\n\n');
}

function typeText(type: Type, facts: EventFacts | undefined, frozen: string): string {
  const stored = STORED[type];
  const versions = versionOf(stored);
  const lines = [
    `### ${type}`,
    `${eventWords(type)}.${versions === 1 ? '' : ` Version ${versions}; older ones are read in this shape.`}`,
    [
      '| field | is | of people |',
      '|---|---|---|',
      ...classifiedFields(type).map(
        (field) => `| \`${field.label}\` | ${kindText(field)} | ${classText(field.class)} |`,
      ),
    ].join('\n'),
    `Written by ${listed(facts?.writtenBy ?? [], 'nothing in this version: older logs have it')}. Read by ${readersText(type, facts)}.`,
    `\`\`\`json\n${exampleOf(type, versions, frozen)}\n\`\`\``,
  ];
  return lines.join('\n\n');
}

const KINDS: Readonly<Record<Exclude<FieldKind, 'choice'>, string>> = {
  text: 'text',
  time: 'time',
  date: 'day',
  number: 'number',
  yesNo: 'yes or no',
  anything: 'anything',
};

function kindText({ kind, choices, isList, isRecord, isOptional, isNullable }: ClassifiedField): string {
  const is = kind === 'choice' ? choices.map((choice) => `\`${choice}\``).join(', ') : KINDS[kind];
  const around = isList ? `list: ${is}` : isRecord ? `by name: ${is}` : is;
  return [around, ...(isNullable ? ['or null'] : []), ...(isOptional ? ['(may be absent)'] : [])].join(' ');
}

const CLASS_TEXTS: Readonly<Record<FieldClass, string>> = {
  safe: '',
  own: '',
  word: '',
  id: 'id',
  stream: 'id',
  actor: 'id',
  host: 'site',
  url: 'site',
  personal: 'personal',
  text: 'text',
  secret: 'secret',
};

const classText = (fieldClass: FieldClass | null): string =>
  fieldClass === null ? 'not said yet' : CLASS_TEXTS[fieldClass];

const listed = (names: readonly string[], none: string): string =>
  names.length === 0 ? none : names.map((name) => `\`${name}\``).join(', ');

function readersText(type: Type, facts: EventFacts | undefined): string {
  const { readModels = [], work = [], followers = [] } = facts ?? {};
  const parts = [
    ...(readModels.length > 0 ? [`the read models ${listed(readModels, '')}`] : []),
    ...(work.length > 0 ? [`background work (${work.join(', ')})`] : []),
    ...(followers.length > 0 ? [`the followers ${listed(followers, '')}`] : []),
  ];
  const why = (EVENTS_WITHOUT_PROJECTION as Readonly<Record<string, string>>)[type];
  if (parts.length === 0)
    return `no read model: ${(why ?? '').replace(/\.$/, '').replace(/^./, (first) => first.toLowerCase())}`;
  return parts.join('; ');
}

/** Longest text of an example; the rest is left out. */
const MOST_TEXT = 120;

function exampleOf(type: Type, version: number, frozen: string): string {
  const { data } = JSON.parse(readFileSync(join(frozen, `${type}.v${version}.json`), 'utf8')) as {
    readonly data: object;
  };
  return JSON.stringify(
    redacted(type, data),
    (_, value: unknown) =>
      typeof value === 'string' && value.length > MOST_TEXT ? `${value.slice(0, MOST_TEXT)}…` : value,
    2,
  );
}
