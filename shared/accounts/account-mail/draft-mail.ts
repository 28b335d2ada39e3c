import { maxMailedNameCharacters } from '../../kernel/limits/accounts.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import type { Clock } from '../../kernel/time/clock.ts'
import type { Store } from '../../platform/store/store.ts'
import { invitationUrl } from '../invitations/administer-invitations.ts'
import { addInvitationSecret, findInvitation } from '../invitations/invitation-secret.ts'
import { activeMemberships, byLastUse } from '../people/membership/active-membership.ts'
import { findPerson, type Person } from '../people/person.ts'
import { findUser } from '../people/user.ts'
import { findTenant, tenantSince } from '../tenants/find-tenant.ts'
import { createAccountLink, type LinkPurpose } from './account-link.ts'
import type { AccountMail } from './account-mail.ts'
import { linkTo, writeLinkMail } from './link-mail.ts'
import { mayMail } from './mail-budget.ts'
import type { Draft, MailWriter } from './mail-writer.ts'

/** The mail that a message asks for; undefined when its account is gone or needs no such mail. */
export function draftMail(writer: MailWriter, message: AccountMail, again: boolean): Promise<Draft | undefined> {
  switch (message.kind) {
    case 'password_reset':
      return draftReset(writer, message.email, again)
    case 'email_verification':
      return draftVerification(writer, message.email, again)
    case 'invitation':
      return draftInvitation(writer, message, again)
  }
}

/** A person without a password signs in with an identity provider, which a reset would bypass. */
async function draftReset(writer: MailWriter, email: string, again: boolean): Promise<Draft | undefined> {
  const person = await findPerson(writer.store, email)
  if (!person?.passwordHash) return undefined
  const [membership] = await activeMemberships(writer.store, byLastUse(person))
  if (!membership || !(again || (await mayMail(writer, 'password_reset', email, membership.tenant)))) return undefined
  return {
    tenant: membership.tenant,
    write: async () =>
      writeLinkMail({
        to: email,
        subject: 'Set a new password',
        before: [
          `Hello ${mailedName(person.name, 'there')},`,
          'Somebody, probably you, asked for a new password for your account.',
        ],
        action: 'Set a new password',
        link: await makeLink(writer, 'password_reset', person, '/password/reset'),
        after: [
          'This works once, within one hour. It ends all sessions of the account.',
          'If you did not ask for it, ignore this mail: your password stays as it is.',
        ],
      }),
  }
}

/** Verified addresses get no such mail. Its reader may be a stranger, whose address somebody else registered. */
async function draftVerification(writer: MailWriter, email: string, again: boolean): Promise<Draft | undefined> {
  const person = await findPerson(writer.store, email)
  if (!person || person.emailVerified) return undefined
  const [membership] = await activeMemberships(writer.store, byLastUse(person))
  if (!membership || !(again || (await mayMail(writer, 'email_verification', email, membership.tenant))))
    return undefined
  const { tenant } = membership
  const { company } = await namesInMails(writer, tenant)
  return {
    tenant,
    write: async () =>
      writeLinkMail({
        to: email,
        subject: `Confirm your e-mail address for ${company}`,
        before: [
          `Hello ${mailedName(person.name, 'there')},`,
          `Please confirm that you receive mail for ${company} at this address.`,
        ],
        action: 'Confirm the address',
        link: await makeLink(writer, 'email_verification', person, '/email/verify'),
        after: ['This works once, within seven days.', 'If it was not you, ignore this mail.'],
      }),
  }
}

const makeLink = async (
  { store, clock, addresses }: MailWriter,
  purpose: LinkPurpose,
  person: Person,
  page: '/password/reset' | '/email/verify',
): Promise<string> => linkTo(addresses, page, await createAccountLink({ store, clock }, purpose, person))

/**
 * The mail of an invitation, with a secret of its own; undefined when it was used, revoked or has expired, or the address got
 * too many. Its reader may be a stranger to the company.
 */
async function draftInvitation(
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

/** For so long a company is new: nobody knows yet what it calls itself for. */
const newForMs = 30 * 86_400_000

/** Words that mail programs make links of: with a scheme, an `@`, a domain or an IP address. */
const addressLike = /@|:\/\/|\bwww\.|\S[.\u3002]\p{M}*(?:\p{L}\p{M}*){2}|\d+\.\d+\.\d+\.\d+/iu

/** A text in one line, without what cannot be seen. */
const oneLine = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replaceAll(/\p{Cf}/gu, '')
    .trim()

/**
 * A name that its owner chose, as a mail to strangers says it: short, in one line, and without addresses, because whoever
 * gets the mail trusts its sender. `otherwise`: when nothing is left.
 */
export function mailedName(name: string, otherwise: string): string {
  const words = oneLine(name.normalize('NFKC')).split(' ')
  const kept = words.filter((word) => !addressLike.test(word)).join(' ') || otherwise
  const characters = [...kept]
  return characters.length > maxMailedNameCharacters
    ? `${characters.slice(0, maxMailedNameCharacters - 1).join('')}…`
    : kept
}

/** How mails to strangers say the names that a company and its people chose: as they are once it is no longer new. */
export async function namesInMails(
  { store, clock }: { readonly store: Pick<Store, 'get'>; readonly clock: Pick<Clock, 'now'> },
  tenant: Tenant,
): Promise<{ readonly company: string; readonly person: (name: string) => string }> {
  const since = await tenantSince(store, tenant)
  const isNew = tenant.awaitsVerification === true || since === undefined || clock.now() < since + newForMs
  return isNew
    ? { company: mailedName(tenant.name, tenant.slug), person: (name) => mailedName(name, 'Somebody') }
    : { company: oneLine(tenant.name), person: oneLine }
}
