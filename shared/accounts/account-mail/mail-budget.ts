import { TooManyRequests } from '../../kernel/failures/faults.ts'
import { log, mayFail } from '../../kernel/runtime/log.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import { type Budget, settle, spend } from '../attempts/budget.ts'
import { countRequest } from '../attempts/login-throttle.ts'
import type { AccountMail } from './account-mail.ts'
import type { MailWriter } from './mail-writer.ts'

type Dependencies = Pick<MailWriter, 'store' | 'clock'>
type Kind = AccountMail['kind']

/** Mails of one kind to a mailbox, from however many companies and networks they are asked for. */
const ofMailbox: Readonly<Record<Exclude<Kind, 'password_reset'>, Budget>> = {
  invitation: { name: 'invitation mails', perQuarter: 5, perDay: 20 },
  // That of the registration, and five that were asked for.
  email_verification: { name: 'verification mails', perQuarter: 6, perDay: 20 },
}

/**
 * Counts a mail to an address. Answers false, which the log says, when the mailbox got too many of its kind. Who lost a
 * password gets a mail at least every 15 minutes, whatever others asked for.
 */
export async function mayMail(services: Dependencies, kind: Kind, email: string, tenant: TenantRef): Promise<boolean> {
  try {
    if (kind === 'password_reset') await countRequest(services, `reset mail ${email}`, 'any network')
    else await countMail(services, ofMailbox[kind], email)
    return true
  } catch (error) {
    if (!(error instanceof TooManyRequests)) throw error
    log.warn('no mail was sent: the address got too many', { mail: kind, tenant_id: tenant.id })
    return false
  }
}

async function countMail({ store, clock }: Dependencies, budget: Budget, email: string): Promise<void> {
  await spend({ store, clock }, budget, email, clock.now())
  await mayFail('settle a counted mail', () => settle({ store }, budget, email, {}))
}
