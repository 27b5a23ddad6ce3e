import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createResolveHost, NameNotResolved } from '../../../src/integrations/fetcher/resolveHost.ts';
import { type DnsServer, startDnsServer } from '../../servers/dnsServer.ts';

let dns: DnsServer;

beforeAll(async () => {
  dns = await startDnsServer(
    {
      'four.example': ['93.184.215.14', '93.184.215.15'],
      'six.example': ['2606:4700:4700::1111'],
      'both.example': ['93.184.215.14', '2606:4700:4700::1111'],
    },
    ['silent.example'],
    ['failing.site', 'failing.example', 'hosts-file.site'],
  );
});
afterAll(() => dns.close());

const resolve = (name: string): Promise<unknown> => createResolveHost({ servers: [dns.address], queryMs: 100 })(name);

describe('resolving a host', () => {
  test('returns all addresses of both families', async () => {
    expect(await resolve('four.example')).toEqual([
      { address: '93.184.215.14', family: 4 },
      { address: '93.184.215.15', family: 4 },
    ]);
    expect(await resolve('six.example')).toEqual([{ address: '2606:4700:4700::1111', family: 6 }]);
    expect(await resolve('both.example')).toEqual([
      { address: '2606:4700:4700::1111', family: 6 },
      { address: '93.184.215.14', family: 4 },
    ]);
  });

  test('finds a name that is only in the hosts file', async () => {
    expect(await resolve('localhost')).toContainEqual({ address: '127.0.0.1', family: 4 });
  });

  test.each([
    ['name servers that cannot answer', 'failing.site', 'failing'],
    ['a name that does not exist', 'nowhere.site', 'not_found'],
    ['a name that cannot exist, whatever the server says', 'failing.example', 'not_found'],
  ])('tells apart: %s', async (_, name, reason) => {
    const system = async (): Promise<[]> => [];
    await expect(createResolveHost({ servers: [dns.address], system })(name)).rejects.toMatchObject({ reason });
  });

  test('asks the system for a name whose servers cannot answer', async () => {
    const address = { address: '93.184.215.14', family: 4 } as const;
    const resolveHost = createResolveHost({ servers: [dns.address], system: async () => [address] });
    expect(await resolveHost('hosts-file.site')).toEqual([address]);
  });

  test('distinguishes an unresponsive name server from a name that does not exist', async () => {
    await expect(resolve('silent.example')).rejects.toMatchObject({
      message: 'The name servers of the host did not answer in time.',
    });
    await expect(resolve('silent.example')).rejects.toBeInstanceOf(NameNotResolved);
  });
});
