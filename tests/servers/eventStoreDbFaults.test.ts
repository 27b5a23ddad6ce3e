import { spawn } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { bundled } from '../given/bundled.ts';
import {
  afterwards,
  all,
  events,
  givenClient,
  givenClientAgain,
  givenServer,
  refusal,
  take,
  typesOf,
  users,
} from '../given/stores/eventStoreDbServer.ts';
import { createCertificate } from './certificate.ts';

const HUGE = 2n ** 60n;

function givenFile(name: string): string {
  const directory = mkdtempSync(join(tmpdir(), 'eventStoreDb-'));
  afterwards(() => rmSync(directory, { recursive: true }));
  return join(directory, name);
}

describe('faults', () => {
  it('lose the answer after the commit, and a retry finds the events', async () => {
    const { server, client } = await givenServer();
    const batch = events('A', 'B');
    server.faults.dropAnswerAfterCommit();
    expect(await refusal(client.appendToStream('s-1', batch, { expectedRevision: 'no_stream' }))).toMatchObject({
      type: 'unavailable',
    });
    const later = await givenClientAgain(server.url);
    expect(await later.appendToStream('s-1', batch, { expectedRevision: 'no_stream' })).toMatchObject({
      success: true,
      nextExpectedRevision: 1n,
    });
    expect(typesOf(await all(later.readStream('s-1')))).toEqual(['A', 'B']);
    expect(server.faults.counts).toMatchObject({ writes: 2, lostAnswers: 1 });
  });

  it('lose the answer silently', async () => {
    const { server, client } = await givenServer();
    server.faults.dropAnswerAfterCommit(1, 'silence');
    const answer = refusal(client.appendToStream('s-1', events('A'), { expectedRevision: 'no_stream' }));
    const other = givenClient(`${server.url}&connectionName=other`);
    while (server.faults.counts.lostAnswers === 0) await all(other.readAll({ maxCount: 1 }));
    expect(typesOf(await all(other.readStream('s-1')))).toEqual(['A']);
    expect(server.faults.resetConnections()).toBeGreaterThan(0);
    expect(await answer).toMatchObject({ type: 'unavailable' });
  });

  it('lose selected answers', async () => {
    const { server } = await givenServer();
    server.faults.dropAnswersWhen((write) => write % 2 === 0);
    const outcomes: boolean[] = [];
    for (let n = 0; n < 4; n += 1) {
      const client = await givenClientAgain(server.url);
      outcomes.push(
        await client.appendToStream(`s-${n}`, events('A')).then(
          () => true,
          () => false,
        ),
      );
    }
    expect(outcomes).toEqual([true, false, true, false]);
    server.faults.dropAnswersWhen(undefined);
    expect(users(await all((await givenClientAgain(server.url)).readAll()))).toHaveLength(4);
  });

  it('lose the request before the commit', async () => {
    const { server, client } = await givenServer();
    server.faults.dropRequestBeforeCommit();
    expect(await refusal(client.appendToStream('s-1', events('A')))).toMatchObject({ type: 'unavailable' });
    const later = await givenClientAgain(server.url);
    expect(await refusal(all(later.readStream('s-1')))).toMatchObject({ type: 'stream-not-found' });
  });

  it('lose the answers to deletions too', async () => {
    const { server, client } = await givenServer();
    await client.appendToStream('s-1', events('A'));
    server.faults.dropAnswerAfterCommit();
    expect(await refusal(client.tombstoneStream('s-1'))).toMatchObject({ type: 'unavailable' });
    expect(await refusal((await givenClientAgain(server.url)).tombstoneStream('s-1'))).toMatchObject({
      type: 'stream-deleted',
    });
  });

  it('hold a write while others overtake it; it gets its position when released', async () => {
    const { server, client } = await givenServer();
    const hold = server.faults.holdWrites();
    const slow = client.appendToStream('s-1', events('Slow'));
    await hold.held;
    const fast = await client.appendToStream('s-2', events('Fast'));
    expect(typesOf(users(await all(client.readAll())))).toEqual(['Fast']);
    hold.release();
    expect((await slow).position?.commit).toBeGreaterThan(fast.position?.commit ?? 0n);
    expect(typesOf(users(await all(client.readAll())))).toEqual(['Fast', 'Slow']);
  });

  it('hold a write until its revision is outdated', async () => {
    const { server, client } = await givenServer();
    const hold = server.faults.holdWrites();
    const slow = refusal(client.appendToStream('s-1', events('A'), { deadline: 1 }));
    await hold.held;
    const start = Date.now();
    while (Date.now() <= start + 1) await client.appendToStream('s-2', events('B'));
    hold.release();
    expect(await slow).toMatchObject({ type: 'deadline-exceeded' });
    expect(await refusal(all(client.readStream('s-1')))).toMatchObject({ type: 'stream-not-found' });
  });

  it('hold a write until the server stops, and it is never written', async () => {
    const { server, client } = await givenServer();
    const hold = server.faults.holdWrites();
    const slow = refusal(client.appendToStream('s-1', events('A')));
    await hold.held;
    await server.stop();
    hold.release();
    expect(await slow).toMatchObject({ type: 'unavailable' });
    await server.start();
    expect(users(await all((await givenClientAgain(server.url)).readAll()))).toEqual([]);
  });

  it('delay answers', async () => {
    const { server, client } = await givenServer();
    await client.appendToStream('s-1', events('A'));
    server.faults.delayAnswers(1, 40);
    const start = performance.now();
    await client.appendToStream('s-1', events('B'));
    expect(performance.now() - start).toBeGreaterThanOrEqual(39);
  });

  it('refuse calls', async () => {
    const { server, client } = await givenServer();
    await client.appendToStream('s-1', events('A'));
    server.faults.refuse(1);
    expect(await refusal(all(client.readStream('s-1')))).toMatchObject({ type: 'unavailable' });
    expect(await all((await givenClientAgain(server.url)).readStream('s-1'))).toHaveLength(1);
    server.faults.refuse();
    for (let n = 0; n < 3; n += 1)
      expect(await refusal(givenClient(server.url).appendToStream('s-1', events('B')))).toMatchObject({ code: 14 });
    server.faults.refuse(0);
    expect((await (await givenClientAgain(server.url)).appendToStream('s-1', events('B'))).nextExpectedRevision).toBe(
      1n,
    );
  });

  it('refuse appends on a call that is already open, each with an answer of its own', async () => {
    const { server, client } = await givenServer();
    await client.appendToStream('s-1', events('A'));
    server.faults.refuse(1);
    expect(await refusal(client.appendToStream('s-1', events('B')))).toMatchObject({ type: 'unknown' });
    expect((await client.appendToStream('s-1', events('C'))).nextExpectedRevision).toBe(1n);
  });

  it('say that a write took too long although it was done', async () => {
    const { server, client } = await givenServer();
    server.faults.dropAnswerAfterCommit(1, 'timeout');
    expect(await refusal(client.appendToStream('s-1', events('A')))).toMatchObject({ type: 'deadline-exceeded' });
    expect(await all(client.readStream('s-1'))).toHaveLength(1);
  });

  it('end an open call of appends once another node leads', async () => {
    const [{ server, client }, other] = [await givenServer(), await givenServer()];
    await client.appendToStream('s-1', events('A'));
    server.faults.follow({ host: '127.0.0.1', port: other.server.port });
    expect(await refusal(client.appendToStream('s-1', events('B')))).toMatchObject({ type: 'not-leader' });
    expect(await all(givenClient(server.url).readStream('s-1'))).toHaveLength(1);
  });

  it('break connections', async () => {
    const { server, client } = await givenServer();
    const subscription = client.subscribeToAll();
    await take(subscription, 1);
    const broken = refusal(take(subscription, 99));
    expect(server.faults.resetConnections()).toBe(1);
    expect(await broken).toMatchObject({ type: 'unavailable' });
  });
});

describe('versions', () => {
  it('determine the supported calls', async () => {
    const { server } = await givenServer();
    const groups = () => givenClient(server.url).listPersistentSubscriptionsToAll();
    server.groups.set('g', 2);
    server.faults.pretendVersion('20.6.1');
    expect(await refusal(groups())).toMatchObject({ type: 'unsupported' });
    // Without BatchAppend, one at a time.
    expect(await givenClient(server.url).appendToStream('s-1', events('A'))).toMatchObject({ success: true });
    server.faults.pretendVersion('unknown');
    expect(await refusal(groups())).toMatchObject({ type: 'unsupported' });
    expect(await givenClient(server.url).appendToStream('s-1', events('B'))).toMatchObject({ success: true });
    server.faults.pretendVersion('23.10.0');
    expect(await groups()).toMatchObject([{ groupName: 'g', connections: [{}, {}] }]);
  });

  it('report a cluster with a single leader', async () => {
    const { server } = await givenServer();
    const client = givenClient(`esdb://127.0.0.1:${server.port},127.0.0.1:${server.port}?tls=false`);
    expect(await client.appendToStream('s-1', events('A'))).toMatchObject({ success: true });
  });
});

describe('TLS and credentials', () => {
  it('are required', async () => {
    const tls = createCertificate({
      names: ['localhost'],
      ips: ['127.0.0.1'],
      from: new Date(Date.now() - 3_600_000),
      to: new Date(Date.now() + 3_600_000),
    });
    const ca = givenFile('ca.pem');
    writeFileSync(ca, tls.cert);
    const { server } = await givenServer({ tls, credentials: { username: 'admin', password: 'ch:ange&it' } });
    const trusted = `${server.url}&tlsCAFile=${encodeURIComponent(ca)}`;
    const client = givenClient(trusted);
    expect(await client.appendToStream('s-1', events('A'))).toMatchObject({ success: true });
    expect(typesOf(users(await all(client.readAll())))).toEqual(['A']);
    const somebody = givenClient(trusted.replace(/admin:[^@]*/, 'admin:wrong'));
    expect(await refusal(somebody.appendToStream('s-1', events('B')))).toMatchObject({ type: 'access-denied' });
    const nobody = givenClient(trusted.replace(/\/\/[^@]*@/, '//'));
    expect(await refusal(all(nobody.readAll()))).toMatchObject({ type: 'access-denied' });
    expect(await refusal(nobody.deleteStream('s-1'))).toMatchObject({ type: 'access-denied' });
    const plain = givenClient(`esdb://127.0.0.1:${server.port}?tls=false`);
    expect(await refusal(plain.appendToStream('s-1', events('B')))).toMatchObject({ code: 14 });
    const distrustful = givenClient(server.url);
    expect(await refusal(distrustful.appendToStream('s-1', events('B')))).toMatchObject({ code: 14 });
  });
});

describe('a log in a file', () => {
  it('is restored without a truncated last line and without scavenged events', async () => {
    const file = givenFile('log.jsonl');
    const options = { file, firstPosition: HUGE, firstRevisions: { 's-1': HUGE } };
    const { server, client } = await givenServer(options);
    const { position } = await client.appendToStream('s-1', events('A', 'B', 'C'));
    await client.setStreamMetadata('s-1', { maxCount: 1 });
    server.scavenge();
    const last = await client.appendToStream('s-2', events('D'));
    const before = (await all(client.readAll())).map(({ event }) => event);
    await server.close();
    appendFileSync(file, '[{"id":"cut o');

    const again = await givenServer(options);
    expect((await all(again.client.readAll())).map(({ event }) => event)).toEqual(before);
    const gone = before.find(({ type } = { type: '' } as never) => type === 'C')?.position;
    expect(gone).toEqual(position);
    const next = await again.client.appendToStream('s-1', events('E'), { expectedRevision: HUGE + 2n });
    expect(next.position?.commit).toBeGreaterThan(last.position?.commit ?? 0n);
  });

  it('survives a killed process with every acknowledged write', async () => {
    const file = givenFile('log.jsonl');
    const first = await givenProcess(['--file', file]);
    const client = givenClient(first.url);
    let answered = 0;
    const writing = (async () => {
      for (let n = 0; ; n += 1) {
        await client.appendToStream('s-1', events('A'), { expectedRevision: n === 0 ? 'no_stream' : BigInt(n - 1) });
        answered += 1;
        if (answered === 50) first.kill();
      }
    })();
    await refusal(writing);
    const port = new URL(first.url.replace('esdb', 'http')).port;
    const second = await givenProcess(['--file', file, '--port', port]);
    expect(second.url).toBe(first.url);
    const kept = await all((await givenClientAgain(second.url)).readStream('s-1'));
    expect(kept.length).toBeGreaterThanOrEqual(answered);
    expect(kept.map(({ event }) => event?.revision)).toEqual(kept.map((_, n) => BigInt(n)));
  });
});

async function givenProcess(args: readonly string[]): Promise<{ url: string; kill(): void }> {
  const main = fileURLToPath(new URL('eventStoreDbMain.ts', import.meta.url));
  const child = spawn(process.execPath, [bundled(main), ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  afterwards(() => child.kill('SIGKILL'));
  for await (const line of createInterface(child.stdout)) {
    const url = /^ready (esdb:.*)$/.exec(line)?.[1];
    if (url) return { url, kill: () => child.kill('SIGKILL') };
  }
  throw new Error('the server did not start');
}
