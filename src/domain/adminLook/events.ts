/** Storage format, version with care. Stream: `admin-look-{lookId}`: an admin viewed another user's data; once per subject and day. */

/** `bill` and `account` are identified by their owner's id, `job` and `report` by the job's. */
export type LookedAt = 'account' | 'bill' | 'job' | 'report';

export type AdminLookEvent = {
  readonly type: 'AdminLooked';
  readonly data: {
    readonly lookId: string;
    readonly adminId: string;
    /** The owner. */
    readonly userId: string;
    readonly thing: LookedAt;
    readonly thingId: string;
    readonly lookedAt: string;
  };
};
