import { describe, expect, it } from 'vitest';
import { addressIn, clientAddress } from '../../../src/http/request/clientAddress.ts';

const PEER = '10.0.0.1';
const of = (headers: Record<string, string | string[]>, trustProxy = true, remoteAddress: string | undefined = PEER) =>
  clientAddress({ headers: headers as never, socket: { remoteAddress } }, trustProxy);

describe('the address in an entry of a forwarding header', () => {
  it.each([
    ['203.0.113.5', '203.0.113.5'],
    ['203.0.113.5:4711', '203.0.113.5'],
    ['203.0.113.5:_hidden', '203.0.113.5'],
    [' \t203.0.113.5 ', '203.0.113.5'],
    ['"203.0.113.5:80"', '203.0.113.5'],
    ['2001:DB8::7', '2001:db8::7'],
    ['2001:0db8:0000:0000:0000:0000:0000:0007', '2001:db8::7'],
    ['[2001:db8::7]', '2001:db8::7'],
    ['[2001:db8::7]:4711', '2001:db8::7'],
    ['"[2001:db8::7]:4711"', '2001:db8::7'],
    ['[2001:db8::7]:_port', '2001:db8::7'],
    ['2001:db8:1:2:3:4:5:6:4711', '2001:db8:1:2:3:4:5:6'],
    ['2001:db8::7:54321', '2001:db8::7'],
    ['::ffff:203.0.113.5', '203.0.113.5'],
    ['::FFFF:203.0.113.5:4711', '203.0.113.5'],
    ['[::ffff:203.0.113.5]:4711', '203.0.113.5'],
    ['::ffff:cb00:7105', '203.0.113.5'],
    ['fe80::1%eth0', 'fe80::1'],
    ['[fe80::1%25eth0]:80', 'fe80::1'],
    ['for=203.0.113.5', '203.0.113.5'],
    ['For="203.0.113.5:4711"', '203.0.113.5'],
    ['FOR="[2001:db8:cafe::17]:4711"', '2001:db8:cafe::17'],
    ['for=[2001:db8::7]:80', '2001:db8::7'],
    ['proto=https;for=203.0.113.5;by=203.0.113.43', '203.0.113.5'],
    ['for=203.0.113.5; proto="http" ; host=seo.example.com:443', '203.0.113.5'],
  ])('%s is %s', (entry, address) => {
    expect(addressIn(entry)).toBe(address);
  });

  it.each([
    '',
    ' ',
    'unknown',
    'UNKNOWN',
    '_hidden',
    'localhost',
    'example.com',
    '203.0.113',
    '203.0.113.256',
    '203.0.113.5.6',
    '1',
    '0x7f.1',
    '010.0.0.1',
    '203.0.113.5:',
    '203.0.113.5:123456',
    '203.0.113.5:80:80',
    ':80',
    '[203.0.113.5',
    '203.0.113.5]',
    '[]',
    '[]:80',
    '[2001:db8::7]80',
    '2001:db8::7::1',
    '[[2001:db8::7]]',
    '203.0.113.5 203.0.113.6',
    'for=unknown',
    'for="_gazonk"',
    'for=',
    'for=""',
    'by=203.0.113.5',
    'for',
    'for=203.0.113.5"',
    'for="203.0.113.5',
    'for=203.0.113.5;for=203.0.113.6',
    'for=203.0.113.5;host="a\\"b"',
    '203.0.113.5;',
    'for=203.0.113.5;',
    '"',
    '""',
    '2'.repeat(16_000),
    ':'.repeat(16_000),
    '['.repeat(16_000),
    'a='.repeat(8_000),
    '%'.repeat(16_000),
  ])('there is none in %j', (entry) => {
    expect(addressIn(entry)).toBeNull();
  });
});

describe('the address of a client', () => {
  it('is the last entry, which the proxy added: what stands before it is not believed', () => {
    expect(of({ 'x-forwarded-for': '192.0.2.66, 203.0.113.5' })).toBe('203.0.113.5');
    expect(of({ 'x-forwarded-for': 'unknown,203.0.113.5:443' })).toBe('203.0.113.5');
    expect(of({ 'x-forwarded-for': ['192.0.2.66', '192.0.2.67, 203.0.113.5'] })).toBe('203.0.113.5');
    expect(of({ forwarded: 'for=192.0.2.66;proto=http, for="[2001:db8::5]:443"' })).toBe('2001:db8::5');
  });

  it('is the peer’s where the proxy’s entry has none, whatever the client wrote before it', () => {
    for (const entry of ['', 'unknown', '_a1b2', 'for=unknown', 'nonsense'])
      for (const header of ['x-forwarded-for', 'forwarded'])
        expect(of({ [header]: `203.0.113.5, ${entry}` })).toBe(PEER);
  });

  it('is not to be had by opening a quote before the proxy’s entry', () => {
    expect(of({ forwarded: 'for="192.0.2.66, for=203.0.113.5' })).toBe('203.0.113.5');
    expect(of({ forwarded: 'for=203.0.113.5;host="x, for=192.0.2.66"' })).toBe(PEER);
  });

  it('is read from Forwarded only without X-Forwarded-For, even an empty one', () => {
    expect(of({ forwarded: 'for=192.0.2.66', 'x-forwarded-for': '203.0.113.5' })).toBe('203.0.113.5');
    expect(of({ forwarded: 'for=192.0.2.66', 'x-forwarded-for': '' })).toBe(PEER);
  });

  it('is the peer’s without a trusted proxy, and nothing for a closed connection', () => {
    expect(of({ 'x-forwarded-for': '203.0.113.5', forwarded: 'for=203.0.113.6' }, false)).toBe(PEER);
    expect(of({}, true, '::ffff:10.0.0.1')).toBe(PEER);
    expect(of({ 'x-forwarded-for': 'unknown' }, true, 'fe80::1%eth0')).toBe('fe80::1');
    expect(clientAddress({ headers: {}, socket: {} }, false)).toBe('');
  });
});
