/**
 * The identity of an installation on one machine: what its data folder says, and what a start makes of every mixture.
 */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSqliteEventStore } from '../../../src/eventStore/sqlite/sqlite.ts';
import { IDENTITY_MARK } from '../../../src/readModels/identity.ts';
import { openSqliteReadModels } from '../../../src/readModels/sqlite/sqlite.ts';
import { wholeLog } from '../../contract/eventStoreHarness.ts';
import {
  accountsIn,
  dataFolder,
  type Folder,
  projectAll,
  rebuiltAccounts,
  withAccount,
} from '../../given/product/folder.ts';
import { OLD_LOG } from '../../given/product/oldInstallation.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

let made: Folder[];
let folder: Folder;
beforeEach(() => {
  made = [];
  folder = another();
});
afterEach(() => {
  for (const each of made) each.remove();
});

function another(dir?: string): Folder {
  const created = dataFolder(dir);
  made.push(created);
  return created;
}

/** In use, with a backup. */
async function inUse(in_: Folder = folder): Promise<string> {
  const { id } = await in_.start({}, withAccount());
  writeFileSync(
    in_.path('last-backup.json'),
    JSON.stringify({ at: '2026-03-10T12:00:00.000Z', events: 4, bytes: 4_096, installationId: id }),
  );
  return id ?? expect.fail();
}

/** From before identities: a log of an earlier version, and read models built from it. */
async function fromBefore(in_: Folder = folder): Promise<void> {
  copyFileSync(OLD_LOG, in_.path('events.db'));
  const store = openSqliteEventStore({ file: in_.path('events.db') });
  const readModels = openSqliteReadModels({ file: in_.path('readModels.db') });
  await projectAll({ store, readModels });
  await readModels.close();
  await store.close();
}

const lose = (name: string, in_: Folder = folder): void => rmSync(in_.path(name));

const mark = async (in_: Folder = folder): Promise<string | null> => {
  const readModels = openSqliteReadModels({ file: in_.path('readModels.db') });
  const value = await readModels.marks.read(IDENTITY_MARK);
  await readModels.close();
  return value;
};

const logOf = async (in_: Folder = folder) => {
  const store = openSqliteEventStore({ file: in_.path('events.db') });
  const events = await wholeLog(store);
  await store.close();
  return events;
};

describe('an empty folder', () => {
  it('gets an identity: in the log, in the read models and in a file of its own, readable only by its owner', async () => {
    const { id } = await folder.start();
    expect(id).toMatch(UUID);
    expect(folder.read('installation-id')).toBe(id);
    expect(statSync(folder.path('installation-id')).mode & 0o077).toBe(0);
    expect(await mark()).toBe(id);
    expect((await logOf()).map(({ stream, type, data }) => ({ stream, type, data }))).toEqual([
      {
        stream: 'identity-installation',
        type: 'InstallationIdentified',
        data: { installationId: id, identifiedAt: expect.any(String) },
      },
    ]);
    expect((await another().start()).id).not.toBe(id);
  });

  it('keeps it from start to start, and writes it once', async () => {
    const { id } = await folder.start();
    for (let start = 0; start < 3; start += 1) expect(await folder.start()).toMatchObject({ id });
    expect(await logOf()).toHaveLength(1);
    expect(folder.files()).toEqual(['events.db', 'installation-id', 'readModels.db']);
  });

  it('keeps what a killed first start had done', async () => {
    const { id } = await folder.start();
    // Killed after the log, before everything else.
    lose('installation-id');
    lose('readModels.db');
    expect(await folder.start()).toMatchObject({ id });
    // Killed before the read models were marked.
    const readModels = openSqliteReadModels({ file: folder.path('readModels.db') });
    await readModels.marks.remove(IDENTITY_MARK);
    await readModels.close();
    expect(await folder.start()).toMatchObject({ id });
    expect(await mark()).toBe(id);
    // Killed before its first event: the log is there, and empty.
    const fresh = another();
    await openSqliteEventStore({ file: fresh.path('events.db') }).close();
    expect((await fresh.start()).id).toMatch(UUID);
  });
});

describe('a missing log', () => {
  const LOSSES: Readonly<Record<string, () => void>> = {
    deleted: () => lose('events.db'),
    'truncated to nothing': () => truncateSync(folder.path('events.db')),
    'a new and empty one': () => lose('events.db'),
  };

  it.each(Object.keys(LOSSES))(
    '%s: refuses to start, in one line that says what to do, and leaves everything as it is',
    async (name) => {
      const id = await inUse();
      LOSSES[name]?.();
      if (name.startsWith('a new')) await openSqliteEventStore({ file: folder.path('events.db') }).close();
      const before = folder.files();
      const text = await folder.refusal();
      expect(text).not.toContain('\n');
      expect(text).toContain(`${folder.path('events.db')} is missing or empty`);
      for (const place of ['installation-id', 'last-backup.json', 'readModels.db'])
        expect(text).toContain(folder.path(place));
      expect(text).toContain(`BEGIN_ANEW=${id}`);
      expect(text).toContain('Restore');
      expect(folder.files()).toEqual(before);
      if (!before.includes('events.db')) expect(existsSync(folder.path('events.db'))).toBe(false);
      expect(await mark()).toBe(id);
      // Again and again.
      expect(await folder.refusal()).toBe(text);
    },
  );

  it.each(['installation-id', 'last-backup.json', 'readModels.db'])('%s alone is enough to refuse', async (place) => {
    const id = await inUse();
    for (const name of folder.files()) if (name !== place) lose(name);
    expect(await folder.refusal()).toMatch(new RegExp(`${place} belongs to the installation ${id}`));
  });

  it('is refused with the setting of another identity, or of none', async () => {
    const id = await inUse();
    lose('events.db');
    for (const BEGIN_ANEW of ['0b6d2a57-70f1-4c0a-9d0a-5b1f6f0f2c3e', 'unnamed'])
      expect(await folder.refusal({ BEGIN_ANEW })).toContain(`BEGIN_ANEW=${id}`);
  });

  it('is ordinary again once it is restored', async () => {
    const id = await inUse();
    renameSync(folder.path('events.db'), folder.path('kept.db'));
    await folder.refusal();
    renameSync(folder.path('kept.db'), folder.path('events.db'));
    expect(await folder.start({}, accountsIn)).toEqual({ id, did: ['ann@example.com'] });
  });
});

describe('BEGIN_ANEW', () => {
  it('begins again once: the old read models and the record of the backup are moved aside', async () => {
    const id = await inUse();
    lose('events.db');
    const { id: next, did } = await folder.start({ BEGIN_ANEW: id }, accountsIn);
    expect(next).toMatch(UUID);
    expect(next).not.toBe(id);
    expect(did).toEqual([]);
    expect(folder.said()).toContain(
      'begun again: the installation named by BEGIN_ANEW was given up, its read models moved aside',
    );
    expect(folder.read('installation-id')).toBe(next);
    expect(folder.files()).toEqual([
      'events.db',
      'installation-id',
      `last-backup.json.${id}`,
      'readModels.db',
      `readModels.db.${id}`,
    ]);
    const old = openSqliteReadModels({ file: folder.path(`readModels.db.${id}`) });
    expect(await accountsIn({ readModels: old })).toEqual(['ann@example.com']);
    await old.close();
    // Still set: an ordinary start.
    expect(await folder.start({ BEGIN_ANEW: id })).toMatchObject({ id: next });
    expect(folder.said()).toContain(
      'BEGIN_ANEW changes nothing at this start: nothing here belongs to that installation. It can be removed',
    );
    // After another loss it names somebody else.
    await folder.start({ BEGIN_ANEW: id }, withAccount('bob@example.com'));
    lose('events.db');
    expect(await folder.refusal({ BEGIN_ANEW: id })).toContain(`BEGIN_ANEW=${next}`);
  });

  it('can be killed after any step, and repeated', async () => {
    const id = await inUse();
    lose('events.db');
    const whole = another();
    folder.copy('.', whole.dir);
    /** What a start has moved aside by then, in its order. */
    const steps: readonly ((at: Folder) => void)[] = [
      (at) => lose('installation-id', at),
      (at) => renameSync(at.path('last-backup.json'), at.path(`last-backup.json.${id}`)),
      (at) => renameSync(at.path('readModels.db'), at.path(`readModels.db.${id}`)),
    ];
    for (let done = 0; done <= steps.length; done += 1) {
      const killed = another();
      whole.copy('.', killed.dir);
      for (const step of steps.slice(0, done)) step(killed);
      if (done < steps.length) expect(await killed.refusal()).toContain(`BEGIN_ANEW=${id}`);
      const { id: next } = await killed.start({ BEGIN_ANEW: id });
      expect(await killed.start()).toMatchObject({ id: next });
      expect(killed.files()).toContain(`readModels.db.${id}`);
    }
  });

  it('overwrites nothing that was moved aside earlier', async () => {
    const id = await inUse();
    lose('events.db');
    writeFileSync(folder.path(`readModels.db.${id}`), 'of an earlier time');
    await folder.start({ BEGIN_ANEW: id });
    expect(folder.read(`readModels.db.${id}`)).toBe('of an earlier time');
    expect(folder.files()).toContain(`readModels.db.${id}-2`);
  });

  it('gives up one identity at a time', async () => {
    const id = await inUse();
    const other = another();
    const otherId = await inUse(other);
    lose('events.db');
    copyFileSync(other.path('readModels.db'), folder.path('readModels.db'));
    expect(await folder.refusal({ BEGIN_ANEW: id })).toContain(`BEGIN_ANEW=${otherId}`);
    expect((await folder.start({ BEGIN_ANEW: otherId })).id).toMatch(UUID);
  });
});

describe('a mixture of installations', () => {
  it('is refused: the log of another one', async () => {
    const id = await inUse();
    const other = another();
    const otherId = await inUse(other);
    copyFileSync(other.path('events.db'), folder.path('events.db'));
    const text = await folder.refusal();
    expect(text).not.toContain('\n');
    expect(text).toContain(`${folder.path('events.db')} is the event log of the installation ${otherId}, but`);
    expect(text).toContain(`BEGIN_ANEW=${id}`);
    expect(await folder.start({ BEGIN_ANEW: id })).toMatchObject({ id: otherId });
    expect(folder.read('installation-id')).toBe(otherId);
    expect(folder.files()).toContain(`readModels.db.${id}`);
    expect(await folder.start({}, rebuiltAccounts)).toEqual({ id: otherId, did: ['ann@example.com'] });
  });

  it('is refused: the read models of another one, and its key files with the file beside them', async () => {
    const id = await inUse();
    const other = another();
    const otherId = await inUse(other);
    for (const name of ['readModels.db', 'installation-id']) {
      renameSync(folder.path(name), folder.path('kept'));
      copyFileSync(other.path(name), folder.path(name));
      expect(await folder.refusal()).toMatch(new RegExp(`${name} belongs to the installation ${otherId}`));
      renameSync(folder.path('kept'), folder.path(name));
    }
    expect(await folder.start()).toMatchObject({ id });
  });

  it('is refused: the log of another one from before identities', async () => {
    await inUse();
    lose('readModels.db');
    copyFileSync(OLD_LOG, folder.path('events.db'));
    expect(await folder.refusal()).toContain('is the event log of the installation');
  });
});

describe('one installation', () => {
  it('rebuilds read models that are missing, damaged or dropped', async () => {
    const id = await inUse();
    const rebuilt = async () => folder.start({}, rebuiltAccounts);
    lose('readModels.db');
    expect(await rebuilt()).toEqual({ id, did: ['ann@example.com'] });
    writeFileSync(folder.path('readModels.db'), 'no database, but long enough to be taken for one. '.repeat(200));
    expect(await rebuilt()).toEqual({ id, did: ['ann@example.com'] });
    truncateSync(folder.path('readModels.db'));
    expect(await rebuilt()).toEqual({ id, did: ['ann@example.com'] });
  });

  it('starts from an older copy of its log, with or without its read models', async () => {
    const id = await inUse();
    copyFileSync(folder.path('events.db'), folder.path('backup'));
    await folder.start({}, withAccount('bob@example.com'));
    copyFileSync(folder.path('backup'), folder.path('events.db'));
    const restored = await folder.start({}, rebuiltAccounts);
    expect(restored).toEqual({ id, did: ['ann@example.com'] });
    const elsewhere = another();
    copyFileSync(folder.path('backup'), elsewhere.path('events.db'));
    expect(await elsewhere.start()).toMatchObject({ id });
    expect(elsewhere.read('installation-id')).toBe(id);
  });

  it('starts from a copy of its log that went on by itself, with nothing of its own history left in the read models', async () => {
    const id = await inUse();
    const other = another();
    folder.copy('.', other.dir);
    for (const email of ['bob@example.com', 'cem@example.com']) await folder.start({}, withAccount(email));
    const theirs = ['dan@example.com', 'eva@example.com', 'fay@example.com', 'gus@example.com'];
    for (const email of theirs) await other.start({}, withAccount(email));
    copyFileSync(other.path('events.db'), folder.path('events.db'));
    const { id: same, did } = await folder.start({}, rebuiltAccounts);
    expect(same).toBe(id);
    expect(did?.toSorted()).toEqual(['ann@example.com', ...theirs]);
  });

  it('gets its file back if that alone is missing, and refuses one that is damaged in one line', async () => {
    const id = await inUse();
    lose('installation-id');
    await folder.start();
    expect(folder.read('installation-id')).toBe(id);
    for (const damage of ['', 'x', `${id}${id}`, '{"id": 1}']) {
      writeFileSync(folder.path('installation-id'), damage);
      const text = await folder.refusal();
      expect(text).toMatch(/installation-id is damaged: it holds no id of an installation\. Remove it/);
      expect(text).not.toContain('\n');
    }
    lose('installation-id');
    expect(await folder.start()).toMatchObject({ id });
  });

  it('starts with a record of its backup that is damaged or from before', async () => {
    const id = await inUse();
    for (const record of ['', '{', JSON.stringify({ at: '2026-03-10T12:00:00.000Z', events: 4, bytes: 4_096 })]) {
      writeFileSync(folder.path('last-backup.json'), record);
      expect(await folder.start()).toMatchObject({ id });
    }
  });

  it.each(['', '{'])(
    'is not new because all but a record of its backup is lost, though that is damaged (%j)',
    async (record) => {
      await inUse();
      for (const name of folder.files()) rmSync(folder.path(name), { recursive: true });
      writeFileSync(folder.path('last-backup.json'), record);
      expect(await folder.refusal()).toContain(folder.path('last-backup.json'));
    },
  );

  it('is not new because its file cannot be read', async () => {
    await inUse();
    for (const name of folder.files()) rmSync(folder.path(name), { recursive: true });
    mkdirSync(folder.path('installation-id'));
    expect(await folder.refusal()).toMatch(/installation-id cannot be read \(EISDIR\)/);
  });
});

describe('a folder from before identities', () => {
  it('gets its identity at its first start, and keeps everything', async () => {
    await fromBefore();
    const before = await logOf();
    const accounts = async () => folder.start({}, rebuiltAccounts);
    const { id, did } = await accounts();
    expect(did?.length).toBeGreaterThan(3);
    expect(await accounts()).toEqual({ id, did });
    expect((await logOf()).slice(0, before.length)).toEqual(before);
    expect(folder.read('installation-id')).toBe(id);
  });

  it('gets the same one again from a copy made before, and in another folder', async () => {
    await fromBefore();
    const { id } = await folder.start();
    copyFileSync(OLD_LOG, folder.path('events.db'));
    expect(await folder.start()).toMatchObject({ id });
    const elsewhere = another();
    copyFileSync(OLD_LOG, elsewhere.path('events.db'));
    expect(await elsewhere.start()).toMatchObject({ id });
  });

  it('is refused without its log: by its read models, or by the record of its backup', async () => {
    await fromBefore();
    lose('events.db');
    const text = await folder.refusal();
    expect(text).toContain('readModels.db belongs to an installation that was in use');
    expect(text).toContain('BEGIN_ANEW=unnamed');
    const { id } = await folder.start({ BEGIN_ANEW: 'unnamed' });
    expect(folder.files()).toContain('readModels.db.unnamed');
    lose('events.db');
    expect(await folder.refusal({ BEGIN_ANEW: 'unnamed' })).toContain(`BEGIN_ANEW=${id}`);
    const backedUp = another();
    writeFileSync(
      backedUp.path('last-backup.json'),
      JSON.stringify({ at: '2026-03-10T12:00:00.000Z', events: 4, bytes: 4_096 }),
    );
    expect(await backedUp.refusal()).toContain('last-backup.json belongs to an installation that was in use');
  });

  /** As the version before identities left them. */
  async function unname(in_: Folder): Promise<void> {
    const readModels = openSqliteReadModels({ file: in_.path('readModels.db') });
    await readModels.marks.remove(IDENTITY_MARK);
    await readModels.close();
    const db = new Database(in_.path('readModels.db'));
    db.exec('ALTER TABLE builds DROP COLUMN lastEvent');
    db.close();
    lose('installation-id', in_);
    rmSync(in_.path('last-backup.json'), { force: true });
  }

  it('is refused with the read models of another installation, until they are given up', async () => {
    const other = another();
    await folder.start({}, withAccount());
    await unname(folder);
    await fromBefore(other);
    copyFileSync(other.path('events.db'), folder.path('events.db'));
    const text = await folder.refusal();
    expect(text).not.toContain('\n');
    expect(text).toContain('readModels.db belongs to another installation');
    expect(text).toContain('BEGIN_ANEW=unnamed');
    expect(folder.files()).toEqual(['events.db', 'readModels.db']);
    expect(await folder.refusal()).toBe(text);
    const { did } = await folder.start({ BEGIN_ANEW: 'unnamed' }, accountsIn);
    expect(did).toEqual([]);
    expect(folder.files()).toContain('readModels.db.unnamed');
    expect(await folder.start({}, rebuiltAccounts)).toEqual(await other.start({}, rebuiltAccounts));
  });

  it('moves the read models of another copy of its log aside, longer or older, and builds them again', async () => {
    for (const added of [0, 4]) {
      const [here, other] = [another(), another()];
      await here.start({}, withAccount());
      here.copy('.', other.dir);
      for (const email of ['bob@example.com', 'cem@example.com']) await here.start({}, withAccount(email));
      for (let nth = 0; nth < added; nth += 1) await other.start({}, withAccount(`o${nth}@example.com`));
      await unname(here);
      copyFileSync(other.path('events.db'), here.path('events.db'));
      expect((await here.start({}, accountsIn)).did).toEqual([]);
      expect(here.said()).toContainEqual(
        expect.stringMatching(/readModels\.db was built from another copy of the event log: it was moved aside/),
      );
      expect(here.files()).toContain('readModels.db.unnamed');
      expect((await here.start({}, rebuiltAccounts)).did).toHaveLength(1 + added);
      expect(here.said()).not.toContainEqual(expect.stringContaining('moved aside'));
    }
  });

  it('keeps serving its read models while they are not built again', async () => {
    const emails = ['ann@example.com', ...Array.from({ length: 25 }, (_, nth) => `user${nth}@example.com`)];
    await folder.start({}, async (stores) => {
      for (const email of emails) await withAccount(email)(stores);
    });
    await unname(folder);
    expect((await folder.start({}, accountsIn)).did?.toSorted()).toEqual(emails.toSorted());
    expect(folder.files()).toEqual(['events.db', 'installation-id', 'readModels.db']);
  });

  it('starts if nobody had used it yet', async () => {
    await openSqliteEventStore({ file: folder.path('events.db') }).close();
    const store = openSqliteEventStore({ file: folder.path('events.db') });
    const readModels = openSqliteReadModels({ file: folder.path('readModels.db') });
    await projectAll({ store, readModels });
    await Promise.all([store.close(), readModels.close()]);
    writeFileSync(folder.path('share-secret'), 'x'.repeat(43));
    expect((await folder.start()).id).toMatch(UUID);
  });
});

describe('key files beside an empty log', () => {
  const SAID = /^key files of an earlier installation were found beside an empty event log: /;

  it.each([[['mfa-secret']], [['mfa-secret', 'share-secret', 'pseudonym-key']]])(
    'are reported, once: %j',
    async (names) => {
      for (const name of names) writeFileSync(folder.path(name), 'x'.repeat(43));
      await folder.start();
      expect(folder.said().filter((line) => SAID.test(line))).toEqual([
        expect.stringContaining(`: ${names.join(', ')} in ${folder.dir}.`),
      ]);
      await folder.start();
      expect(folder.said()).not.toContainEqual(expect.stringMatching(SAID));
    },
  );

  it('are not reported where there are none, or what they belonged to is given up', async () => {
    const id = await inUse();
    expect(folder.said()).not.toContainEqual(expect.stringMatching(SAID));
    writeFileSync(folder.path('share-secret'), 'x'.repeat(43));
    lose('events.db');
    await folder.start({ BEGIN_ANEW: id });
    expect(folder.said()).not.toContainEqual(expect.stringMatching(SAID));
  });
});

describe('keys in the settings', () => {
  const [SHARE_SECRET, MFA_SECRET, OTHER] = ['s'.repeat(32), 'm'.repeat(32), 'o'.repeat(32)];

  it('are recognized, and are not in the log', async () => {
    const { id } = await folder.start({ SHARE_SECRET, MFA_SECRET });
    expect(await folder.start({ SHARE_SECRET, MFA_SECRET })).toMatchObject({ id });
    const log = await logOf();
    expect(log.map(({ type }) => type)).toEqual([
      'InstallationIdentified',
      'InstallationKeyRecorded',
      'InstallationKeyRecorded',
    ]);
    const text = JSON.stringify(log, (_key, value) => (typeof value === 'bigint' ? String(value) : value));
    for (const secret of [SHARE_SECRET, MFA_SECRET]) expect(text).not.toContain(secret);
    // Without them nothing can be compared.
    expect(await folder.start()).toMatchObject({ id });
  });

  it('are refused if the log knows others, and accepted once the identity is given up', async () => {
    const { id } = await folder.start({ SHARE_SECRET, MFA_SECRET }, withAccount());
    const text = await folder.refusal({ SHARE_SECRET, MFA_SECRET: OTHER });
    expect(text).not.toContain('\n');
    expect(text).not.toContain(OTHER);
    expect(text).toMatch(/^MFA_SECRET is not the key that the installation/);
    expect(text).toContain(`BEGIN_ANEW=${id}`);
    const anew = { SHARE_SECRET, MFA_SECRET: OTHER, BEGIN_ANEW: id ?? '' };
    const { id: next, did } = await folder.start(anew, rebuiltAccounts);
    expect(next).not.toBe(id);
    expect(did).toEqual(['ann@example.com']);
    expect(folder.files()).toContain(`readModels.db.${id}`);
    expect(await folder.start(anew)).toMatchObject({ id: next });
    expect(await folder.refusal({ ...anew, SHARE_SECRET: OTHER })).toContain(`BEGIN_ANEW=${next}`);
  });

  it('are noted at the first start of a folder from before', async () => {
    await fromBefore();
    const { id } = await folder.start({ SHARE_SECRET });
    expect(await folder.refusal({ SHARE_SECRET: OTHER })).toContain(`BEGIN_ANEW=${id}`);
    expect(await folder.start({ SHARE_SECRET, MFA_SECRET })).toMatchObject({ id });
  });
});

describe('programs beside the server', () => {
  it('write no identity, and are refused like a start', async () => {
    const { openStores } = await import('../../../src/start/openStores.ts');
    const { pino } = await import('pino');
    const open = (more: object = {}) =>
      openStores({ servers: null, DATA_DIR: folder.dir, ...more }, pino({ level: 'silent' }));
    copyFileSync(OLD_LOG, folder.path('events.db'));
    const before = await logOf();
    const stores = await open();
    await stores.close();
    expect(await logOf()).toEqual(before);
    expect(folder.files()).not.toContain('installation-id');
    const { id } = await folder.start();
    lose('events.db');
    await expect(open({ BEGIN_ANEW: id })).rejects.toThrow(/The event log is missing/);
    expect(folder.files()).not.toContain('events.db');
  });
});
