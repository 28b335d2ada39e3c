import * as z from 'zod'
import type { ChannelTypeDeclaration } from '../channel-type.ts'
import { retrySchedule, secret, text } from '../config/config-values.ts'

/** Mails, through the SMTP server of the tenant or the SES of the deployment. */
export const email = {
  config: z.strictObject({
    transport: z.enum(['smtp', 'ses']),
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
    'transport (smtp, ses), host, port, username, password, encryption (ssl, tls, none), from_address, from_name',
  check: ({ transport, host }: { readonly transport: string; readonly host?: string }) =>
    transport === 'smtp' && host === undefined
      ? { 'config.host': ['The config.host field is required for the transport smtp.'] }
      : undefined,
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
  environment: ['APP_MODE', 'SES_DOMAINS'],
} as const satisfies ChannelTypeDeclaration
