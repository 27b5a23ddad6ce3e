/**
 * The compose files: pinned versions, hardened containers, known settings, two profiles, and what the files beside the
 * first replace. No container is started here.
 */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { isMap, isSeq, parse, parseDocument } from 'yaml';
import { loadConfig } from '../../src/start/config.ts';
import { SETTINGS } from '../../src/start/settings.ts';

type Service = {
  readonly image?: string;
  readonly build?: string;
  readonly profiles?: readonly string[];
  readonly user?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly tmpfs?: readonly string[];
  readonly healthcheck?: { readonly test: readonly string[]; readonly interval: string; readonly retries: number };
  readonly mem_limit?: string;
  readonly cpus?: number;
  readonly pids_limit?: number;
  readonly stop_grace_period?: string;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly networks?: readonly string[];
  readonly deploy?: { readonly replicas: number };
  readonly privileged?: boolean;
  readonly command?: readonly string[];
};
type Compose = {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: object;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean } | null>>;
};

const text = (file: string) => readFileSync(fileURLToPath(new URL(`../../${file}`, import.meta.url)), 'utf8');
const compose = parse(text('compose.yaml'), { merge: true }) as Compose;
const services = Object.entries(compose.services);
const service = (name: string): Service => compose.services[name] ?? expect.fail(`There is no service ${name}.`);
const product = services.filter(([, { build }]) => build !== undefined);
const dockerfile = text('Dockerfile');

describe('compose.yaml', () => {
  it('has two profiles: a single container, and the full installation', () => {
    expect(services.filter(([, { profiles }]) => profiles === undefined).map(([name]) => name)).toEqual(['app']);
    const full = services.filter(([, { profiles }]) => profiles?.includes('full')).map(([name]) => name);
    expect(full.sort()).toEqual(['eventstore', 'http', 'mongodb', 'projector', 'proxy', 'worker']);
    expect(['http', 'worker', 'projector'].map((name) => service(name).deploy?.replicas)).toEqual([2, 2, 2]);
    expect(['http', 'worker', 'projector'].map((name) => service(name).environment?.ROLE)).toEqual([
      'http',
      'worker',
      'projector',
    ]);
  });

  it('starts exactly the full installation with its proxy', () => {
    const needed = new Set<string>();
    const need = (name: string): void => {
      if (needed.has(name)) return;
      needed.add(name);
      for (const [other, { condition }] of Object.entries(service(name).depends_on ?? {})) {
        expect(condition, `${name} → ${other}`).toBe('service_healthy');
        need(other);
      }
    };
    need('proxy');
    expect([...needed].sort()).toEqual(['eventstore', 'http', 'mongodb', 'projector', 'proxy', 'worker']);
  });

  it.each(services)('%s is hardened and has resource limits', (_name, given) => {
    expect(given.privileged).toBeUndefined();
    expect(given.user).toMatch(/^(node|[1-9]\d*:[1-9]\d*)$/);
    expect(given).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      stop_grace_period: '20s',
    });
    expect(given.tmpfs?.[0]).toMatch(/^\/tmp:.*size=\d+m/);
    expect(given.mem_limit).toMatch(/^\d+[mg]$/);
    expect(given.cpus).toBeGreaterThan(0);
    expect(given.pids_limit).toBeGreaterThan(0);
    expect(given.healthcheck?.test[0]).toBe('CMD');
    expect(given.healthcheck?.retries).toBeGreaterThan(0);
  });

  it('pins the version of every image', () => {
    const images = [
      ...services.filter(([, { build }]) => build === undefined).map(([, { image }]) => image ?? ''),
      ...dockerfile.matchAll(/^FROM (\S+)/gm),
    ].map((image) => (typeof image === 'string' ? image : (image[1] ?? '')));
    expect(images.length).toBeGreaterThanOrEqual(5);
    for (const image of images) expect(image).toMatch(/:\d+(\.\d+)*(-[a-z.\d-]+)?$/);
    for (const [name, { image }] of services)
      if (!product.some(([own]) => own === name)) expect(image).toMatch(/:\d+\.\d+\.\d+/);
  });

  it('sets only known settings, with valid values', () => {
    expect(product.map(([name]) => name).sort()).toEqual(['app', 'http', 'projector', 'worker']);
    const inImage = Object.fromEntries(
      [...(/^ENV (.*)$/m.exec(dockerfile)?.[1] ?? '').matchAll(/(\w+)=(\S+)/g)].map((found) => [found[1], found[2]]),
    );
    for (const [name, { environment = {} }] of product) {
      expect(
        Object.keys(environment).filter((key) => !(key in SETTINGS)),
        name,
      ).toEqual([]);
      const values = Object.fromEntries(
        Object.entries(environment).map(([key, value]) => [key, value.replace(/\$\{\w+:-([^}]*)\}/, '$1')]),
      );
      const config = loadConfig({ ...inImage, ...values });
      expect(config).toMatchObject({
        production: true,
        HOST: '0.0.0.0',
        PORT: 3000,
        demo: false,
        ROLE: name === 'app' ? 'all' : name,
      });
      if (name === 'app') expect(config.servers).toBeNull();
      else
        expect(config).toMatchObject({
          TRUST_PROXY: true,
          servers: { eventStoreUrl: 'esdb://eventstore:2113?tls=false' },
        });
    }
  });

  it('opens ports only on this machine, and none of the stores', () => {
    const open = services.filter(([, { ports }]) => ports !== undefined);
    expect(open.map(([name]) => name)).toEqual(['app', 'proxy']);
    for (const [, { ports }] of open) for (const port of ports ?? []) expect(port).toMatch(/^127\.0\.0\.1:/);
    expect(compose.networks.stores).toEqual({ internal: true });
    for (const name of ['eventstore', 'mongodb']) expect(service(name).networks).toEqual(['stores']);
    expect(service('proxy').networks).toEqual(['outside']);
    expect(service('app').networks).toEqual(['outside']);
  });

  it('mounts only declared volumes and existing files', () => {
    const mounts = services.flatMap(([, { volumes = [] }]) => volumes.map((volume) => volume.split(':')));
    expect(mounts.length).toBeGreaterThan(5);
    for (const [source = '', target] of mounts) {
      expect(target).toMatch(/^\//);
      if (source.startsWith('./'))
        expect(existsSync(fileURLToPath(new URL(`../../${source}`, import.meta.url))), source).toBe(true);
      else expect(Object.keys(compose.volumes)).toContain(source);
    }
    expect(service('eventstore').volumes).toContain('eventstore:/var/lib/eventstore');
  });
});

type Json = null | string | number | boolean | readonly Json[] | { readonly [key: string]: Json };

/** Lists that a later file replaces instead of adding to. */
const REPLACED: ReadonlySet<string> = new Set(['command', 'entrypoint', 'test']);
const isRecord = (value: Json | undefined): value is { readonly [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * As Compose combines files: maps key by key, lists one after the other, mounts by their place in the container; what
 * is marked `!override` replaces.
 */
function combined(base: Json | undefined, more: Json, overrides: ReadonlySet<string>, path = ''): Json {
  if (base === undefined || overrides.has(path)) return more;
  if (isRecord(base) && isRecord(more)) {
    const all = { ...base };
    for (const [key, value] of Object.entries(more)) all[key] = combined(base[key], value, overrides, `${path}/${key}`);
    return all;
  }
  if (!Array.isArray(base) || !Array.isArray(more) || REPLACED.has(path.split('/').at(-1) ?? '')) return more;
  const placeOf = (entry: Json): Json =>
    typeof entry === 'string' && path.endsWith('/volumes') ? (entry.split(':')[1] ?? entry) : entry;
  return [...base.filter((entry) => !more.some((other) => placeOf(other) === placeOf(entry))), ...more];
}

/** compose.yaml with another file after it. */
function composeWith(file: string): Compose {
  const document = parseDocument(text(file), {
    merge: true,
    customTags: ['map', 'seq'].map((kind) => tagOf(kind as 'map' | 'seq')),
  });
  expect(document.errors).toEqual([]);
  const overrides = new Set<string>();
  const visit = (node: unknown, path: string): void => {
    if (!isMap(node)) return;
    for (const { key, value } of node.items) {
      const at = `${path}/${String(key)}`;
      if ((isMap(value) || isSeq(value)) && value.tag === '!override') overrides.add(at);
      visit(value, at);
    }
  };
  visit(document.contents, '');
  return combined(compose as unknown as Json, document.toJS() as Json, overrides) as unknown as Compose;
}
const tagOf = (collection: 'map' | 'seq') => ({ tag: '!override', collection, identify: () => false });

const filled = (value: string | undefined): string => (value ?? '').replace(/\$\{\w+:\?[^}]*\}/g, 's3cret');

describe('compose.kurrentdb.yaml', () => {
  const combinedFiles = composeWith('compose.kurrentdb.yaml');
  const store = combinedFiles.services.eventstore ?? expect.fail('There is no event store.');

  it('replaces the event store alone, whose settings are KurrentDB’s and no longer EventStoreDB’s', () => {
    const { eventstore: _, ...others } = combinedFiles.services;
    const { eventstore: __, ...before } = compose.services;
    expect(others).toEqual(before);
    expect(store.image).toBe('kurrentplatform/kurrentdb:26.0');
    expect(Object.keys(store.environment ?? {}).filter((name) => name.startsWith('EVENTSTORE_'))).toEqual([]);
    expect(store.environment).toMatchObject({
      KURRENTDB_CLUSTER_SIZE: '1',
      KURRENTDB_INSECURE: 'true',
      KURRENTDB_TELEMETRY_OPTOUT: 'true',
      KURRENTDB_MAX_APPEND_SIZE: service('eventstore').environment?.EVENTSTORE_MAX_APPEND_SIZE,
      KURRENTDB_SECONDARY_INDEXING__ENABLED: 'false',
    });
  });

  it('gives its user the data and log folders of the new image, on the same volume, and keeps the rest', () => {
    expect(store.user).toBe('1001:1001');
    expect(store.volumes).toEqual(['eventstore:/var/lib/kurrentdb']);
    expect(store.tmpfs).toEqual([service('eventstore').tmpfs?.[0], '/var/log/kurrentdb:size=16m,uid=1001,gid=1001']);
    for (const kept of ['healthcheck', 'networks', 'profiles', 'read_only', 'cap_drop', 'mem_limit'] as const)
      expect(store[kept]).toEqual(service('eventstore')[kept]);
  });

  it('says that it was not started', () => {
    expect(text('compose.kurrentdb.yaml')).toContain('Read, not started');
  });
});

describe('compose.secure.yaml', () => {
  const secure = composeWith('compose.secure.yaml');
  const of = (name: string): Service => secure.services[name] ?? expect.fail(`There is no service ${name}.`);

  it('gives every role addresses with TLS and users, that the product takes', () => {
    for (const name of ['http', 'worker', 'projector']) {
      const { environment = {}, volumes } = of(name);
      const values = Object.fromEntries(
        Object.entries(environment).map(([key, value]) => [key, filled(value).replace(/\$\{\w+:-([^}]*)\}/, '$1')]),
      );
      expect(loadConfig(values)).toMatchObject({
        ROLE: name,
        servers: {
          eventStoreUrl: 'esdb://admin:s3cret@eventstore:2113?tls=true&tlsCaFile=/eventstore-ca/ca.crt',
          mongoUrl: 'mongodb://seo:s3cret@mongodb:27017/seo?replicaSet=rs0&authSource=seo',
        },
      });
      expect(volumes).toEqual(['eventstore-ca:/eventstore-ca:ro']);
    }
  });

  it('has passwords in no file: each must be set, or nothing starts', () => {
    const passwords = [...text('compose.secure.yaml').matchAll(/PASSWORD[^\n]*: (\S.*)$/gm)].map(
      (found) => found[1] ?? '',
    );
    expect(passwords.length).toBeGreaterThanOrEqual(4);
    for (const password of passwords) expect(password).toMatch(/^\$\{[A-Z_]+:\?is not set\}$/);
  });

  it('starts a store only when its certificates or its key have been made, by a container without a network', () => {
    for (const [store, once] of [
      ['eventstore', 'eventstore-certificates'],
      ['mongodb', 'mongodb-key'],
    ] as const) {
      expect(of(store).depends_on).toEqual({ [once]: { condition: 'service_completed_successfully' } });
      expect(of(once)).toMatchObject({
        cap_drop: ['ALL'],
        cap_add: ['CHOWN'],
        read_only: true,
        network_mode: 'none',
        restart: 'no',
      });
    }
    // The authority's key is where nobody else mounts it.
    const mounting = Object.entries(secure.services).filter(([, { volumes = [] }]) =>
      volumes.some((volume) => volume.startsWith('eventstore-authority:')),
    );
    expect(mounting.map(([name]) => name)).toEqual(['eventstore-certificates']);
  });

  it('keeps data, network and limits of the first file, and mounts only declared volumes and existing files', () => {
    for (const name of ['eventstore', 'mongodb']) {
      for (const kept of ['image', 'user', 'networks', 'read_only', 'mem_limit', 'tmpfs'] as const)
        expect(of(name)[kept]).toEqual(service(name)[kept]);
      expect(of(name).volumes).toEqual(expect.arrayContaining([...(service(name).volumes ?? [])]));
    }
    expect(of('eventstore').environment).toMatchObject({
      ...service('eventstore').environment,
      EVENTSTORE_INSECURE: 'false',
    });
    expect(of('mongodb').command).toEqual([...(service('mongodb').command ?? []), '--keyFile', '/key/keyfile']);
    for (const [source = ''] of Object.values(secure.services).flatMap(({ volumes = [] }) =>
      volumes.map((volume) => volume.split(':')),
    )) {
      if (source.startsWith('./'))
        expect(existsSync(fileURLToPath(new URL(`../../${source}`, import.meta.url))), source).toBe(true);
      else expect(Object.keys(secure.volumes)).toContain(source);
    }
  });

  it('says that it was not started', () => {
    expect(text('compose.secure.yaml')).toContain('Read, not started');
  });
});

describe('deploy/nginx.conf', () => {
  const conf = text('deploy/nginx.conf').replace(/#.*$/gm, '');
  const directives = (name: string) =>
    [...conf.matchAll(new RegExp(`^\\s*${name}\\s+([^;{]+);`, 'gm'))].map((found) => found[1]?.trim());

  it('is complete, listens on the published port, and forwards to the port of the http role', () => {
    expect(conf.split('{').length).toBe(conf.split('}').length);
    const statements = conf.split('\n').map((line) => line.trim());
    expect(statements.filter((line) => line !== '' && !/[;{}]$/.test(line))).toEqual([]);
    expect(service('proxy').ports?.[0]).toMatch(new RegExp(`:${directives('listen')[0]}$`));
    expect(directives('server')).toEqual([expect.stringMatching(/^http:3000 resolve/)]);
  });

  it('passes websockets, sets the forwarded headers, and trusts none from clients', () => {
    const headers = Object.fromEntries(
      directives('proxy_set_header').map((header) => (header ?? '').split(/\s+/) as [string, string]),
    );
    expect(headers).toEqual({
      Host: '$http_host',
      'X-Forwarded-For': '$remote_addr',
      'X-Forwarded-Proto': '$client_scheme',
      'X-Forwarded-Host': '$http_host',
      'X-Request-Id': '$request_id',
      Upgrade: '$http_upgrade',
      Connection: '$connection_upgrade',
    });
    expect(directives('proxy_http_version')).toEqual(['1.1']);
    expect(directives('proxy_next_upstream')[0]).not.toContain('non_idempotent');
  });
});
