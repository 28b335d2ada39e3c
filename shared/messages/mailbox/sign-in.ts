import type { TenantRef } from '../../kernel/tenancy.ts'
import type { MailboxLogin, MailboxSettings } from '../mailboxes/mailbox-settings.ts'
import type { ConnectionDependencies } from './dependencies.ts'
import { type GraphFolder, openGraphFolder } from './graph/graph-folder.ts'
import { MailboxFailure } from './imap/mailbox-failure.ts'
import type { OpenMailbox } from './imap/open-mailbox.ts'

/** Opens the mailbox of a tenant by IMAP. */
export const signIn = (
  services: Pick<ConnectionDependencies, 'accessToken' | 'openMailbox'>,
  tenant: TenantRef,
  settings: MailboxSettings,
  signal: AbortSignal,
): Promise<OpenMailbox> => {
  const { login } = settings
  return login.kind === 'password'
    ? services.openMailbox(settings, { password: login.password }, signal)
    : withToken(services, tenant, login, (accessToken) => services.openMailbox(settings, { accessToken }, signal))
}

/** Opens the folder of a mailbox of a tenant at `base`, by Microsoft Graph. */
export async function signInToGraph(
  services: Pick<ConnectionDependencies, 'accessToken' | 'fetchMail'>,
  tenant: TenantRef,
  { login, username: user, folder }: MailboxSettings,
  base: string,
  signal: AbortSignal,
): Promise<GraphFolder> {
  if (login.kind === 'password') throw new MailboxFailure('Microsoft Graph takes no password. Check incoming.auth.')
  return withToken(services, tenant, login, (token) =>
    openGraphFolder(services.fetchMail, { base, user, folder }, token, signal),
  )
}

/** A login that is refused with an access token is tried once more, with a new one. */
async function withToken<T>(
  { accessToken }: Pick<ConnectionDependencies, 'accessToken'>,
  tenant: TenantRef,
  login: Extract<MailboxLogin, { readonly kind: 'oauth' }>,
  open: (accessToken: string) => Promise<T>,
): Promise<T> {
  try {
    return await open(await accessToken(tenant, login, { fresh: false }))
  } catch (error) {
    if (!(error instanceof MailboxFailure && error.isLogin)) throw error
    return open(await accessToken(tenant, login, { fresh: true }))
  }
}
