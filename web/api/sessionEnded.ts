import { createAction } from '@reduxjs/toolkit';

/** The session is over and nobody asked for it: expired, revoked, or ended in another tab. */
export const sessionEnded = createAction('session/ended');
