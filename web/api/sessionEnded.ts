import { createAction } from '@reduxjs/toolkit';

/** The session ended without a log-out: it expired, was revoked, or ended in another tab. */
export const sessionEnded = createAction('session/ended');
