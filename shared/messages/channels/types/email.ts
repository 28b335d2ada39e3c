import * as z from 'zod'
import type { FieldErrors } from '../../../kernel/failures/faults.ts'
import { environment } from '../../../kernel/runtime/environment.ts'
import type { ChannelTypeDeclaration } from '../channel-type.ts'
import { retrySchedule, secret, text } from '../config/config-values.ts'
import { OauthSignIn, signInErrors } from '../config/oauth-sign-in.ts'

const noLocalMail =
  'The transport local is the mail server that npm start embeds, which this deployment does not have. Use smtp or ses.'

/** What `local` takes nothing of: the embedded cloud knows its server. */
const ofServers = ['host', 'port', 'username', 'password', 'encryption', 'auth'] as const

/** Mails, through the SMTP server of the tenant, the SES of the deployment, or the mail server of the embedded cloud. */
export const email = {
  config: z.strictObject({
    transport: z.enum(['smtp', 'ses', 'graph', 'local']),
    host: text.optional(),
    port: z.int().min(1).max(65_535).optional(),
    username: text.optional(),
    password: secret.optional(),
    encryption: z.enum(['ssl', 'tls', 'none']).optional(),
    auth: OauthSignIn.optional(),
    from_address: z.email(),
    from_name: text.refine((value) => !/\p{Cc}/u.test(value)).optional(),
    retry_schedule: retrySchedule,
  }),
  secrets: ['password', 'auth.client_secret'],
  members:
    'transport (smtp, ses, graph; on one machine local), host, port, username, password, encryption (ssl, tls, none), from_address, from_name; in place of a password auth { kind: oauth, provider (google, microsoft), flow (client_credentials; authorization_code: the sign-in of the mailbox that names the channel), client_id, client_secret, tenant, issuer }, which smtp takes (XOAUTH2) and graph (Microsoft) needs',
  check: checkTransport,
  content: 'mail',
  userAddress: 'mail address',
  settings: {
    name: 'MAIL_* settings',
    config: { transport: 'smtp' },
    members: {
      host: 'MAIL_HOST',
      from_address: 'MAIL_FROM_ADDRESS',
      port: 'MAIL_PORT',
      username: 'MAIL_USERNAME',
      encryption: 'MAIL_ENCRYPTION',
      from_name: 'MAIL_FROM_NAME',
    },
    secrets: { password: 'MAIL_PASSWORD' },
    required: ['host', 'from_address'],
  },
  description: 'Sends mails, and records what became of them',
  deadLetters: 'Wake-ups of mails that delivery-email failed on',
  // SES asks for the second right when the message is a complete one.
  rights: [
    { on: 'mail-identities', actions: ['ses:SendEmail', 'ses:SendRawEmail'] },
    // The sign-ins of mailboxes; a provider may replace a refresh token at each use.
    { on: 'settings-key', names: ['mailbox.*.secret', 'mailbox.*.refresh_token'], actions: ['kms:Decrypt'] },
    { on: 'settings-key', names: ['mailbox.*.refresh_token'], actions: ['kms:Encrypt'] },
  ],
  // Templates may hold the link of their record.
  environment: ['APP_MODE', 'SES_DOMAINS', 'SES_CONFIGURATION_SET'],
} as const satisfies ChannelTypeDeclaration

interface Transport {
  readonly transport: string
  readonly host?: string
  readonly password?: string
  readonly auth?: OauthSignIn
}

function checkTransport(config: Transport): FieldErrors | undefined {
  const { transport, host, auth, password } = config
  const wrong = auth && authErrors(auth, transport, password)
  if (wrong && Object.keys(wrong).length > 0) return wrong
  if (transport === 'graph' && !auth)
    return { 'config.auth': ['The config.auth field is required for the transport graph.'] }
  if (transport === 'smtp' && host === undefined && !auth)
    return { 'config.host': ['The config.host field is required for the transport smtp.'] }
  if (transport !== 'local') return undefined
  if (environment().LOCAL_MAIL_PORT === undefined) return { 'config.transport': [noLocalMail] }
  const given = ofServers.filter((name) => (config as unknown as Readonly<Record<string, unknown>>)[name] !== undefined)
  return given.length === 0
    ? undefined
    : Object.fromEntries(
        given.map((name) => [
          `config.${name}`,
          [`The transport local takes no ${name}: the local cloud knows its server.`],
        ]),
      )
}

/** What is wrong with a sign-in at a provider in a channel. */
function authErrors(auth: OauthSignIn, transport: string, password: string | undefined): FieldErrors {
  if (transport === 'ses')
    return { 'config.auth': ['The transport ses takes no auth: the deployment signs in itself.'] }
  if (transport === 'local') return {}
  if (transport === 'graph' && auth.provider !== 'microsoft')
    return { 'config.auth.provider': ['The transport graph is that of the provider microsoft.'] }
  if (password !== undefined) return { 'config.password': ['With auth there is no password: leave it out.'] }
  return signInErrors(auth, 'config.auth')
}
