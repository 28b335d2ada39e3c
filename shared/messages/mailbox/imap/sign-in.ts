import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { MailboxSettings } from '../../mailboxes/mailbox-settings.ts'
import type { ConnectionDependencies } from '../dependencies.ts'
import { MailboxFailure } from './mailbox-failure.ts'
import type { OpenMailbox } from './open-mailbox.ts'

/** Opens the mailbox of a tenant. A login that is refused with an access token is tried once more, with a new one. */
export async function signIn(
  { accessToken, openMailbox }: Pick<ConnectionDependencies, 'accessToken' | 'openMailbox'>,
  tenant: TenantRef,
  settings: MailboxSettings,
  signal: AbortSignal,
): Promise<OpenMailbox> {
  const { login } = settings
  if (login.kind === 'password') return openMailbox(settings, { password: login.password }, signal)
  const open = async (fresh: boolean): Promise<OpenMailbox> =>
    openMailbox(settings, { accessToken: await accessToken(tenant, login, { fresh }) }, signal)
  try {
    return await open(false)
  } catch (error) {
    if (!(error instanceof MailboxFailure && error.isLogin)) throw error
    return open(true)
  }
}
