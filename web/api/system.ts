/** The server's public status. */
import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { StatusResponse, VersionResponse } from '../../src/http/contract/status.ts';
import { callApi } from './call.ts';

export type SystemStatus = StatusResponse['data'];

interface SystemState {
  readonly status: SystemStatus | null;
  readonly version: string;
}

const DEFAULT_VERSION = '1.0.0';

/** What an answer leaves out: agreed is only `auth_system`. */
const UNTOLD: Omit<SystemStatus, 'auth_system'> = {
  demo_site: null,
  analyst: 'AI',
  support_email: '',
  mail: 'sent',
  log_in: { by_mail: false, providers: [] },
  payments: 'off',
  unlimited: false,
  limits: { max_pages: 0, batch: 100 },
};

export const systemSlice = createSlice({
  name: 'system',
  initialState: { status: null, version: DEFAULT_VERSION } as SystemState,
  reducers: {
    statusRead: (system, { payload }: PayloadAction<SystemStatus>) => ({ ...system, status: payload }),
    versionRead: (system, { payload }: PayloadAction<string>) => ({ ...system, version: payload }),
  },
  selectors: {
    selectStatus: (system) => system.status,
    selectVersion: (system) => system.version,
    /** Everyone has everything: no screen mentions plans, money or allowances. */
    selectUnlimited: (system) => system.status?.unlimited === true,
  },
});

export const { selectStatus, selectVersion, selectUnlimited } = systemSlice.selectors;
const { statusRead, versionRead } = systemSlice.actions;

type Dispatch = (action: ReturnType<typeof statusRead> | ReturnType<typeof versionRead>) => unknown;

export async function readStatus(dispatch: Dispatch): Promise<void> {
  const { data } = await callApi({ path: '/api/v1/status' }, null);
  // Some responses are wrapped, others are not.
  const answer = data as (Partial<StatusResponse> & Partial<SystemStatus>) | undefined;
  const status = answer?.data ?? answer;
  if (status?.auth_system) dispatch(statusRead({ ...UNTOLD, ...status, auth_system: status.auth_system }));
}

export async function readVersion(dispatch: Dispatch): Promise<void> {
  const { data } = await callApi({ path: '/api/version' }, null);
  const version = (data as Partial<VersionResponse> | undefined)?.version;
  if (version) dispatch(versionRead(version));
}
