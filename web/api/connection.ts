/** State of the app's single realtime socket. */
import { createSlice, type PayloadAction } from '@reduxjs/toolkit';

export interface ConnectionState {
  readonly state: 'connecting' | 'live' | 'offline';
  /** When the last row arrived, in ms since the epoch. */
  readonly lastUpdate: number | null;
}

export const connectionSlice = createSlice({
  name: 'connection',
  initialState: { state: 'connecting', lastUpdate: null } as ConnectionState,
  reducers: {
    connectionChanged: (connection, { payload }: PayloadAction<ConnectionState['state']>) => {
      connection.state = payload;
    },
    updateArrived: (connection, { payload }: PayloadAction<number>) => {
      connection.lastUpdate = payload;
    },
  },
  selectors: {
    selectConnection: (connection) => connection,
    selectOffline: (connection) => connection.state === 'offline',
  },
});

export const { connectionChanged, updateArrived } = connectionSlice.actions;
export const { selectConnection, selectOffline } = connectionSlice.selectors;
