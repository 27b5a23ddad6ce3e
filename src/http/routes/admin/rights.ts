/** Granting and withdrawing the admin right. */
import * as z from 'zod';
import { grantAdmin } from '../../../commands/account/grantAdmin.ts';
import { revokeAdmin } from '../../../commands/account/revokeAdmin.ts';
import { getAccount, listAdmins } from '../../../projections/accounts.ts';
import { onBehalfOf } from '../../auth/administering.ts';
import { AdminRightRequest, AdminRightResponse } from '../../contract/admin/rights.ts';
import { HttpError } from '../../request/errors.ts';
import { afterWrite } from '../../routing/afterWrite.ts';
import { route } from '../../routing/route.ts';

export const putAdminRight = route({
  method: 'PUT',
  path: '/admin/users/{userId}/admin-right',
  access: 'admin',
  summary: 'Make an account an admin or withdraw that right; not your own, and not that of the last admin',
  params: z.object({ userId: z.string().min(1).max(64) }),
  body: AdminRightRequest,
  example: { admin: false },
  response: AdminRightResponse,
  refusals: ['ACCOUNT_NOT_FOUND', 'OWN_ADMIN_RIGHT', 'LAST_ADMIN', 'ADMIN_CONFIGURED', 'EMAIL_UNCONFIRMED'],
  handler: async (request) => {
    const { deps, caller, body, noteSecurity } = request;
    const { userId } = request.params;
    if (userId === caller.userId && !body.admin) {
      throw new HttpError('OWN_ADMIN_RIGHT', 'You cannot withdraw your own admin right. Ask another admin to do it.');
    }
    const command = onBehalfOf(request, 'change', { kind: 'account', ownerId: userId });
    const { position } = body.admin
      ? await grantAdmin(command, { userId, reason: 'admin' })
      : await revokeAdmin(command, {
          userId,
          reason: 'admin',
          adminEmail: deps.config.adminEmail,
          listAdmins: () => listAdmins(deps.readModels),
        });
    noteSecurity(body.admin ? 'admin_granted' : 'admin_revoked', { userId, adminId: caller.userId });
    const answer = { success: true as const, data: { user_id: userId, is_admin: body.admin } };
    return afterWrite(deps, { position, answer }, (shown) => getAccount(shown, userId));
  },
});
