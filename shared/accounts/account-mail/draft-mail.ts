import { activeMemberships, byLastUse } from '../people/membership/active-membership.ts'
import { findPerson, type Person } from '../people/person.ts'
import { createAccountLink, type LinkPurpose } from './account-link.ts'
import type { AccountMail } from './account-mail.ts'
import { draftInvitation } from './draft-invitation.ts'
import { linkTo, writeLinkMail } from './link-mail.ts'
import { mayMail } from './mail-budget.ts'
import type { Draft, MailWriter } from './mail-writer.ts'
import { mailedName, namesInMails } from './mailed-name.ts'

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
