import type { FetchPublic } from '../../../platform/net/guarded-request.ts'
import type { OauthSignIn } from '../../channels/config/oauth-sign-in.ts'
import type { OauthSettings } from '../../mailboxes/mailbox-settings.ts'
import { providerEndpoints } from './provider-endpoints.ts'

/** What a token is for: reading and sending by the protocols of mail, or both by Microsoft Graph. */
export type TokenUse = { readonly kind: 'mail' } | { readonly kind: 'graph'; readonly host: string }

/** The rights that are asked for. */
export function scopeOf({ provider, flow }: Pick<OauthSignIn, 'provider' | 'flow'>, use: TokenUse): string {
  if (provider === 'google') return 'https://mail.google.com/'
  const graph = use.kind === 'graph' ? `https://${use.host}` : undefined
  if (flow === 'client_credentials') return `${graph ?? 'https://outlook.office365.com'}/.default`
  const rights = graph
    ? [`${graph}/Mail.Read.Shared`, `${graph}/Mail.Send.Shared`, `${graph}/Mail.Read`, `${graph}/Mail.Send`]
    : ['https://outlook.office.com/IMAP.AccessAsUser.All', 'https://outlook.office.com/SMTP.Send']
  return ['offline_access', ...rights].join(' ')
}

/** How access tokens are asked for. `mailboxId`: whose sign-in counts, with the flow of codes. Throws MailboxFailure. */
export async function oauthSettings(
  fetchPublic: FetchPublic,
  signIn: Omit<OauthSignIn, 'client_secret'>,
  clientSecret: string,
  use: TokenUse,
  mailboxId?: number,
): Promise<OauthSettings> {
  const { tokenUrl } = await providerEndpoints(fetchPublic, signIn)
  return {
    grant: signIn.flow === 'client_credentials' ? 'client_credentials' : 'refresh_token',
    tokenUrl,
    clientId: signIn.client_id,
    clientSecret,
    refreshToken: undefined,
    scope: scopeOf(signIn, use),
    ...(mailboxId !== undefined && { mailboxId }),
  }
}
