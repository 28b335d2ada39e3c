import { TooManyRequests } from '../../kernel/faults.ts'
import { log } from '../../kernel/log.ts'
import { type ActiveMembership, activeMemberships, byLastUse } from '../accounts/active-membership.ts'
import { findPerson, type Person } from '../accounts/person.ts'
import { countRequest } from '../sessions/login-throttle.ts'
import { createAccountLink, type LinkPurpose } from './account-link.ts'
import type { AccountMail } from './account-mail.ts'
import { draftInvitation } from './draft-invitation.ts'
import { type Link, linkTo, writeLinkMail } from './link-mail.ts'
import type { Draft, MailWriter } from './mail-writer.ts'

/** The mail that a message asks for; undefined when its account is gone or needs no such mail. */
export function draftMail(writer: MailWriter, message: AccountMail, again: boolean): Promise<Draft | undefined> {
  switch (message.kind) {
    case 'password_reset':
      return draftReset(writer, message.email, again)
    case 'email_verification':
      return draftVerification(writer, message.email)
    case 'invitation':
      return draftInvitation(writer, message)
  }
}

/** A person without a password signs in with an identity provider, which a reset would bypass. */
async function draftReset(writer: MailWriter, email: string, again: boolean): Promise<Draft | undefined> {
  const person = await findPerson(writer.store, email)
  if (!person?.passwordHash) return undefined
  const [membership] = await activeMemberships(writer.store, byLastUse(person))
  if (!membership || !(again || (await mayMail(writer, email, membership)))) return undefined
  const address = { page: '/password/reset', endpoint: '/api/password/reset' }
  return {
    tenant: membership.tenant,
    write: async () =>
      writeLinkMail({
        to: email,
        subject: 'Set a new password',
        before: [`Hello ${person.name},`, 'Somebody, probably you, asked for a new password for your account.'],
        action: 'Set a new password',
        link: await makeLink(writer, 'password_reset', person, address),
        after: [
          'This works once, within one hour. It ends all sessions of the account.',
          'If you did not ask for it, ignore this mail: your password stays as it is.',
        ],
      }),
  }
}

/** A mailbox receives at most five such mails in 15 minutes, from however many networks they are asked for. */
async function mayMail(writer: MailWriter, email: string, { tenant }: ActiveMembership): Promise<boolean> {
  try {
    await countRequest(writer, `reset mail ${email}`, 'any network')
    return true
  } catch (error) {
    if (!(error instanceof TooManyRequests)) throw error
    log.warn('no mail was sent: the address got too many', { mail: 'password_reset', tenant_id: tenant.id })
    return false
  }
}

/** Verified addresses get no such mail. */
async function draftVerification(writer: MailWriter, email: string): Promise<Draft | undefined> {
  const person = await findPerson(writer.store, email)
  if (!person || person.emailVerified) return undefined
  const [membership] = await activeMemberships(writer.store, byLastUse(person))
  if (!membership) return undefined
  const { tenant } = membership
  const address = { page: '/email/verify', endpoint: '/api/email/verify' }
  return {
    tenant,
    write: async () =>
      writeLinkMail({
        to: email,
        subject: `Confirm your e-mail address for ${tenant.name}`,
        before: [`Hello ${person.name},`, `Please confirm that you receive mail for ${tenant.name} at this address.`],
        action: 'Confirm the address',
        link: await makeLink(writer, 'email_verification', person, address),
        after: ['This works once, within seven days.', 'If it was not you, ignore this mail.'],
      }),
  }
}

const makeLink = async (
  { store, clock, addresses }: MailWriter,
  purpose: LinkPurpose,
  person: Person,
  address: { readonly page: string; readonly endpoint: string },
): Promise<Link> => linkTo(addresses, address, await createAccountLink({ store, clock }, purpose, person))
