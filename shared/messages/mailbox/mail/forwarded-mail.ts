import { userOfAddress } from '../../../accounts/people/lookup/user-of-address.ts'
import { findUser } from '../../../accounts/people/user.ts'
import { maxMailSubjectCharacters } from '../../../kernel/limits/incoming.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import { normalAddress } from '../../../platform/mail/normal-address.ts'
import type { Store } from '../../../platform/store/store.ts'
import { forwardedIn, isForwardSubject, withoutForwardMarks } from '../../incoming-messages/new-text/forwarded-text.ts'
import type { MailAddress } from './addresses.ts'
import { cleanLine } from './clean-text.ts'
import type { ParsedMail } from './parts/parsed-mail.ts'

/** Who forwarded a mail, and what they wrote above it, for whoever may read messages. */
export interface Forwarding {
  readonly by: MailAddress
  readonly note: string
  /** The HTML of both together. */
  readonly html: string | null
}

/** A mail that was forwarded, as its writer sent it. */
export type ForwardedMail = ParsedMail & { readonly forwarded: Forwarding }

/**
 * The mail that somebody of the team forwards, inside of theirs or attached: what comes of it is in the name of whoever wrote
 * that, and answers go there. Undefined for a mail that forwards none, and for one of somebody who is not of the team.
 */
export async function forwardedMail(
  { store }: { readonly store: Pick<Store, 'get'> },
  tenant: TenantRef,
  mail: ParsedMail,
): Promise<ForwardedMail | undefined> {
  const { from: by, auto, to } = mail
  if (!by?.email || auto !== null) return undefined
  const found = attachedIn(mail) ?? writtenIn(mail)
  const writer = found?.from.email
  const isOther = writer && writer !== by.email && !to.some(({ email }) => email === writer)
  if (!found || !isOther || !(await isOfTeam(store, tenant, by.email))) return undefined
  const { note, ...written } = found
  const outer = mail.messageId === null ? [] : [mail.messageId]
  return {
    ...mail,
    ...written,
    cc: [],
    inReplyTo: null,
    messageId: found.messageId ?? mail.messageId,
    // Answers to the mail that forwarded it belong to it as well.
    references: found.messageId === null ? [] : outer,
    forwarded: { by, note, html: mail.html },
  }
}

type Found = Pick<ParsedMail, 'replyTo' | 'subject' | 'messageId' | 'body' | 'html'> & {
  readonly from: MailAddress
  readonly note: string
}

function attachedIn({ attached, subject, note }: ParsedMail): Found | undefined {
  const from = attached?.from
  if (!attached || !from?.email) return undefined
  const bare = withoutForwardMarks(subject ?? '')
  const isForward =
    note === '' || isForwardSubject(subject ?? '') || bare === withoutForwardMarks(attached.subject ?? '')
  return isForward ? { ...attached, from, note } : undefined
}

function writtenIn({ body, subject }: ParsedMail): Found | undefined {
  const found = forwardedIn(body, subject)
  const email = found && normalAddress(found.address)
  if (!found || !email) return undefined
  return {
    from: { name: cleanLine(found.name, 200) || null, email },
    replyTo: [],
    subject: cleanLine(found.subject ?? withoutForwardMarks(subject ?? ''), maxMailSubjectCharacters) || null,
    messageId: null,
    body: found.text,
    html: null,
    note: found.note,
  }
}

/** Customers have accounts too, without a role. */
async function isOfTeam(store: Pick<Store, 'get'>, tenant: TenantRef, address: string): Promise<boolean> {
  const userId = await userOfAddress(store, tenant, address)
  const user = userId === undefined ? undefined : await findUser(store, tenant, userId)
  return (user?.roles.length ?? 0) > 0
}
