import type { TenantRef } from '../../../kernel/tenancy.ts'
import { usualGraphHost } from '../../../platform/mail/mail-settings.ts'
import type { Config } from '../../../platform/store/config.ts'
import { readObject } from '../../../platform/store/rows/object-row.ts'
import type { OpenedChannel } from '../../channels/channel.ts'
import type { OauthSettings } from '../../mailboxes/mailbox-settings.ts'
import { type Mailbox, mailboxSecretName } from '../../mailboxes/mailbox.ts'
import { MailboxFailure } from '../imap/mailbox-failure.ts'
import { createAccessTokens, type TokenDependencies } from './access-token.ts'
import { oauthSettings } from './sign-in-settings.ts'

interface Dependencies extends TokenDependencies {
  readonly config: Pick<Config, 'listFresh'>
}

/**
 * Finds access tokens for channels of mails: of the application itself, or by the sign-in of the mailbox that names the channel.
 * Keeps them in memory until shortly before their end.
 */
export function createChannelTokens(services: Dependencies) {
  const find = createAccessTokens(services)
  return async (
    tenant: TenantRef,
    channel: OpenedChannel<'email'>,
    options: { readonly fresh: boolean },
  ): Promise<{ readonly token: string } | { readonly problem: string }> => {
    try {
      return { token: await find(tenant, await settingsOf(services, tenant, channel), options) }
    } catch (error) {
      if (error instanceof MailboxFailure) return { problem: error.message }
      throw error
    }
  }
}

async function settingsOf(
  services: Dependencies,
  tenant: TenantRef,
  { id, name, config: { auth, transport, host } }: OpenedChannel<'email'>,
): Promise<OauthSettings> {
  if (!auth) throw new Error('a channel without a sign-in needs no token')
  const use =
    transport === 'graph' ? { kind: 'graph' as const, host: host ?? usualGraphHost } : { kind: 'mail' as const }
  if (auth.flow === 'client_credentials') return oauthSettings(services.fetchPublic, auth, auth.client_secret, use)
  const boxes = (await services.config.listFresh(tenant, 'MAILBOX')).map((row) => readObject<Mailbox>(row))
  const mailbox = boxes.find(({ channelId }) => channelId === id)
  const signIn = mailbox?.incoming.auth
  if (!mailbox || signIn?.kind !== 'oauth' || signIn.flow !== 'authorization_code')
    throw new MailboxFailure(
      `No mailbox with the flow authorization_code names the channel ${name} as its channel_id: the channel sends by its sign-in.`,
    )
  const { sealed } = mailbox
  const box = await services.secrets()
  const secret = sealed === null ? '' : await box.open(tenant, mailboxSecretName(mailbox.id), sealed)
  return oauthSettings(services.fetchPublic, signIn, secret, use, mailbox.id)
}
