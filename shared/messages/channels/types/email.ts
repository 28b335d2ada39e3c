import * as z from 'zod'
import type { FieldErrors } from '../../../kernel/failures/faults.ts'
import { environment } from '../../../kernel/runtime/environment.ts'
import type { ChannelTypeDeclaration } from '../channel-type.ts'
import { retrySchedule, secret, text } from '../config/config-values.ts'

const noLocalMail =
  'The transport local is the mail server that npm start embeds, which this deployment does not have. Use smtp or ses.'

/** What `local` takes nothing of: the embedded cloud knows its server. */
const ofServers = ['host', 'port', 'username', 'password', 'encryption'] as const

/** Mails, through the SMTP server of the tenant, the SES of the deployment, or the mail server of the embedded cloud. */
export const email = {
  config: z.strictObject({
    transport: z.enum(['smtp', 'ses', 'local']),
    host: text.optional(),
    port: z.int().min(1).max(65_535).optional(),
    username: text.optional(),
    password: secret.optional(),
    encryption: z.enum(['ssl', 'tls', 'none']).optional(),
    from_address: z.email(),
    from_name: text.refine((value) => !/\p{Cc}/u.test(value)).optional(),
    retry_schedule: retrySchedule,
  }),
  secrets: ['password'],
  members:
    'transport (smtp, ses; on one machine local), host, port, username, password, encryption (ssl, tls, none), from_address, from_name',
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
  rights: [{ on: 'mail-identities', actions: ['ses:SendEmail', 'ses:SendRawEmail'] }],
  // Templates may hold the link of their record.
  environment: ['APP_MODE', 'SES_DOMAINS', 'SES_CONFIGURATION_SET'],
} as const satisfies ChannelTypeDeclaration

function checkTransport(config: { readonly transport: string; readonly host?: string }): FieldErrors | undefined {
  const { transport, host } = config
  if (transport === 'smtp' && host === undefined)
    return { 'config.host': ['The config.host field is required for the transport smtp.'] }
  if (transport !== 'local') return undefined
  if (environment().LOCAL_MAIL_PORT === undefined) return { 'config.transport': [noLocalMail] }
  const given = ofServers.filter((name) => (config as Readonly<Record<string, unknown>>)[name] !== undefined)
  return given.length === 0
    ? undefined
    : Object.fromEntries(
        given.map((name) => [
          `config.${name}`,
          [`The transport local takes no ${name}: the local cloud knows its server.`],
        ]),
      )
}
