/** Storage format, version with care. Stream: `admin-look-{lookId}`: an admin looked at something of another's; once a thing and a day. */

/** `bill` and `account` are named by their owner's id, `job` and `report` by the job's. */
export type LookedAt = 'account' | 'bill' | 'job' | 'report';

export type AdminLookEvent = {
  readonly type: 'AdminLooked';
  readonly data: {
    readonly lookId: string;
    readonly adminId: string;
    /** Whose it is. */
    readonly userId: string;
    readonly thing: LookedAt;
    readonly thingId: string;
    readonly lookedAt: string;
  };
};
