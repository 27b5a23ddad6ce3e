/**
 * Whether the present keys are those that shared links, second factors and pseudonyms were made with. A missing key file is made
 * again, so that the server starts; what depended on the former one is said in the log at each start, and on the system
 * page for as long as it lasts.
 */
import { join } from 'node:path';
import type { Logger } from 'pino';
import { shareToken } from '../../commands/share/shareTokens.ts';
import { hashToken } from '../../commands/tokens.ts';
import { INSTALLATION_KEYS, type InstallationKey } from '../../domain/installation/events.ts';
import { isOpen } from '../../domain/share/share.ts';
import type { EventStore } from '../../eventStore/eventStore.ts';
import { createPace } from '../../eventStore/pacing.ts';
import type { SystemState } from '../../http/deps/system.ts';
import type { SharesDocument } from '../../projections/shares.ts';
import type { ReadModels } from '../../readModels/readModels.ts';
import type { Config } from '../config.ts';
import type { GivenKeys } from '../identity/settleIdentity.ts';
import { lostKeyProblem } from '../monitor/problems.ts';
import { PSEUDONYM_FILE } from './pseudonymSecret.ts';
import { readSecret } from './shareSecret.ts';

export type LostKey = NonNullable<SystemState['lostKeys']>[number];

type KeysConfig = Pick<Config, 'DATA_DIR' | 'SHARE_SECRET' | 'MFA_SECRET' | 'PSEUDONYM_SECRET' | 'servers'>;

export type LostKeysParts = {
  readonly config: KeysConfig;
  readonly store: Pick<EventStore, 'head'>;
  readonly readModels: ReadModels;
  readonly shareSecret: string;
  /** Whether all second factors can be checked. */
  readonly secondFactorsFit: () => Promise<boolean>;
  /** Whether anonymized exports join with earlier ones. */
  readonly pseudonymsFit: () => Promise<boolean>;
  /** UTC ISO. */
  readonly now: () => string;
  /** Ms, monotonic. */
  readonly clock?: () => number;
};

export type LostKeys = {
  /** Null: the read models are not far enough to tell. Answered from memory for some minutes. */
  read(): Promise<readonly LostKey[] | null>;
};

const KEPT_MS = 5 * 60_000;
/** How long to wait for read models that are about to be up to date, ms. */
const REACHED_MS = 2_000;
const PAGE = 100;

export function createLostKeys(parts: LostKeysParts): LostKeys {
  const { config, store, readModels, clock = () => performance.now() } = parts;
  let kept: { readonly at: number; readonly found: readonly LostKey[] } | null = null;
  let asking: Promise<readonly LostKey[] | null> | null = null;

  async function find(): Promise<readonly LostKey[] | null> {
    if (!(await readModels.reached(['shares'], await store.head(), REACHED_MS))) return null;
    const [linksFit, factorsFit, pseudonymsFit] = await Promise.all([
      doLinksFit(parts),
      parts.secondFactorsFit(),
      parts.pseudonymsFit(),
    ]);
    const lost: readonly LostKey['key'][] = [
      ...(linksFit ? [] : (['shares'] as const)),
      ...(factorsFit ? [] : (['second_factors'] as const)),
      ...(pseudonymsFit ? [] : (['pseudonyms'] as const)),
    ];
    const found = lost.map((key): LostKey => ({ key, source: sourceOf(config, key) }));
    kept = { at: clock(), found };
    return found;
  }
  return {
    read: () => {
      if (kept && clock() - kept.at < KEPT_MS) return Promise.resolve(kept.found);
      asking ??= find().finally(() => {
        asking = null;
      });
      return asking;
    },
  };
}

const AGAIN_MS = 5_000;

type Reporting = {
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly log: Pick<Logger, 'warn'>;
};

/**
 * Says in the log that links or pseudonyms do not fit their key, once the read models tell. `openMfaKeys` says it of
 * second factors.
 */
export function reportLostKeys(
  lost: LostKeys,
  { sleep, log }: Reporting,
): { readonly done: Promise<void>; stop(): Promise<void> } {
  const stopping = new AbortController();
  async function report(): Promise<void> {
    while (!stopping.signal.aborted) {
      const found = await lost.read().catch(() => null);
      for (const each of found ?? []) {
        if (each.key === 'second_factors') continue;
        const { text, todo } = lostKeyProblem(each);
        log.warn(`${text} ${todo}`);
      }
      if (found) return;
      await sleep(AGAIN_MS, stopping.signal);
    }
  }
  const done = report();
  return {
    done,
    stop: async () => {
      stopping.abort();
      await done;
    },
  };
}

/** Whether every open link is made from this key: only then can it be shown. */
async function doLinksFit({ readModels, shareSecret, now }: LostKeysParts): Promise<boolean> {
  const at = now();
  const pace = createPace('background');
  for (let cursor: string | undefined; ; ) {
    const page = await readModels.find<SharesDocument>('shares', {
      limit: PAGE,
      ...(cursor === undefined ? {} : { cursor }),
    });
    for (const { data } of page.documents) {
      const open = data.shares.filter((share) => isOpen(share, at));
      if (open.some(({ shareId, tokenHash }) => hashToken(shareToken(shareSecret, data.jobId, shareId)) !== tokenHash))
        return false;
      if (pace.isDue()) await pace.pass();
    }
    if (page.cursor === null) return true;
    cursor = page.cursor;
  }
}

const NAMES: Readonly<
  Record<InstallationKey, { readonly setting: 'SHARE_SECRET' | 'MFA_SECRET'; readonly file: string }> &
    Record<LostKey['key'], { readonly setting: keyof KeysConfig & `${string}_SECRET`; readonly file: string }>
> = {
  shares: { setting: 'SHARE_SECRET', file: 'share-secret' },
  second_factors: { setting: 'MFA_SECRET', file: 'mfa-secret' },
  pseudonyms: { setting: 'PSEUDONYM_SECRET', file: PSEUDONYM_FILE },
};

/** Those that no setting gives. */
export function keysInFiles(config: Pick<Config, 'DATA_DIR' | 'SHARE_SECRET' | 'MFA_SECRET'>): GivenKeys {
  const inFile = INSTALLATION_KEYS.filter((key) => config[NAMES[key].setting] === undefined);
  return Object.fromEntries(
    inFile
      .flatMap((key) => [[key, readSecret(join(config.DATA_DIR, NAMES[key].file))]])
      .filter(([, secret]) => secret !== null),
  );
}

/** Where the present key comes from, for people. */
function sourceOf(config: KeysConfig, key: LostKey['key']): string {
  const { setting, file } = NAMES[key];
  if (config[setting] !== undefined) return setting;
  return config.servers ? `${setting}, which is not set,` : join(config.DATA_DIR, file);
}
