import { invitationUrl } from '../invitations/administer-invitations.ts'
import { addInvitationSecret, findInvitation } from '../invitations/invitation-secret.ts'
import { findUser } from '../people/user.ts'
import { findTenant } from '../tenants/find-tenant.ts'
import { writeLinkMail } from './link-mail.ts'
import { mayMail } from './mail-budget.ts'
import type { Draft, MailWriter } from './mail-writer.ts'
import { namesInMails } from './mailed-name.ts'

/**
 * The mail of an invitation, with a secret of its own; undefined when it was used, revoked or has expired, or the address got
 * too many. Its reader may be a stranger to the company.
 */
export async function draftInvitation(
  writer: MailWriter,
  { tenant_id: tenantId, invitation_id: id }: { readonly tenant_id: number; readonly invitation_id: number },
  again: boolean,
): Promise<Draft | undefined> {
  const { store, addresses } = writer
  const [tenant, invitation] = await Promise.all([
    findTenant(store, tenantId),
    findInvitation(writer, { id: tenantId }, id),
  ])
  if (!tenant || !invitation) return undefined
  if (!again && !(await mayMail(writer, 'invitation', invitation.email, tenant))) return undefined
  const { company, person } = await namesInMails(writer, tenant)
  const inviter = invitation.invitedBy === null ? undefined : await findUser(store, tenant, invitation.invitedBy)
  return {
    tenant,
    write: async () =>
      writeLinkMail({
        to: invitation.email,
        subject: `Invitation to ${company}`,
        before: ['Hello,', `${inviter ? person(inviter.name) : 'The operator'} invites you to work in ${company}.`],
        action: 'Accept the invitation',
        link: invitationUrl(await addInvitationSecret(writer, tenant, invitation), addresses),
        after: ['The link works once, within seven days.', 'If you do not know the sender, ignore this mail.'],
      }),
  }
}
