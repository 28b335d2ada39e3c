import * as z from 'zod'
import { localMailboxHost, noLocalMailbox } from '../../kernel/addresses/local-mailbox.ts'
import { maxAddressCharacters } from '../../kernel/limits/accounts.ts'
import { maxHostCharacters, maxMailboxCharacters, maxSettingCharacters } from '../../kernel/limits/configuration.ts'
import { maxAnswersPerHour } from '../../kernel/limits/messages.ts'
import { environment } from '../../kernel/runtime/environment.ts'
import { isTimeZone, nearestTimeZone } from '../../kernel/time/time-zone.ts'
import { subjectNumberForm } from '../mail/subject-number.ts'
import { mask } from '../secrets/mask.ts'

interface Setting {
  readonly schema: z.ZodType<string | number>
  /** Write-only: stored sealed, answered masked. */
  readonly isSecret?: true
}

const Text = z.string().trim().min(1).max(maxSettingCharacters)
const Host = z
  .string()
  .trim()
  .max(maxHostCharacters)
  .regex(/^[A-Za-z0-9.-]+$|^[0-9A-Fa-f:]+$/, {
    error: 'Use a host name or an IP address, without scheme and port.',
  })
  .meta({ description: 'A host name or an IP address, without scheme and port.' })
const MailboxHost = Host.refine((host) => host !== localMailboxHost || environment().LOCAL_MAILBOX_PORT !== undefined, {
  error: noLocalMailbox,
}).meta({
  description: 'Of the mailbox; `MAIL_HOST` when unset. `local`: the mailbox of that name that `npm start` embeds.',
})
/** Clients that fill in forms send the port as a string. */
const PortNumber = z.int().min(1).max(65_535)
const Port = z.union(
  [
    PortNumber,
    z
      .string()
      .regex(/^\d{1,5}$/)
      .transform(Number)
      .pipe(PortNumber),
  ],
  {
    error: 'Use the number of a port, from 1 to 65535.',
  },
)
/** The same of a number of answers. */
const AnswerCount = z.int().min(0).max(maxAnswersPerHour)
const AnswersPerHour = z
  .union(
    [
      AnswerCount,
      z
        .string()
        .regex(/^\d{1,3}$/)
        .transform(Number)
        .pipe(AnswerCount),
    ],
    { error: `Use a whole number from 0 to ${maxAnswersPerHour}.` },
  )
  .meta({
    description:
      'How many automatic answers whoever sends a mail gets within an hour; 5 when unset, 0: none. More of them become cancelled deliveries. The addresses of the mailbox and of mail channels get none.',
  })
const Encryption = z.enum(['ssl', 'tls']).meta({ description: '`ssl`: TLS from the start; `tls`: STARTTLS.' })
const loopbackHosts: readonly string[] = ['127.0.0.1', 'localhost', '[::1]']

/** Plain http is for providers on the machine of a local service; a deployment connects to public hosts only. */
const ProviderAddress = z
  .string()
  .max(maxSettingCharacters)
  .refine(
    (text) => {
      const url = URL.parse(text)
      const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && loopbackHosts.includes(url.hostname))
      return url !== null && isSafe && !/[?#\s]/.test(text) && !url.username && !url.password
    },
    { error: 'Use an https address without query, such as https://login.example.com.' },
  )
  .meta({ format: 'uri' })

/** These issuers let every directory of the world sign in, and their tokens name another issuer. */
const severalDirectories = /^https:\/\/login\.microsoftonline\.com\/(common|organizations|consumers|\{[^/]*\})(\/|$)/i
const DirectoryAddress = ProviderAddress.refine((text) => !severalDirectories.test(text), {
  error: 'Name your directory: https://login.microsoftonline.com/<directory id>/v2.0.',
}).meta({ description: 'The issuer of one directory: `https://login.microsoftonline.com/<directory id>/v2.0`.' })

const plain = (schema: z.ZodType<string | number>): Setting => ({ schema })
const secret = (description: string): Setting => ({
  schema: z
    .string()
    .min(1)
    .refine((text) => Buffer.byteLength(text) <= 4096, { error: 'A secret has at most 4,096 bytes.' })
    .meta({ description: `${description} Write-only: answered as \`${mask}\`, which leaves it unchanged.` }),
  isSecret: true,
})

function timeZoneAdvice(given: string): string {
  const meant = nearestTimeZone(given)
  const advice = 'Use the name of a time zone, such as Europe/Vienna.'
  return meant === undefined ? advice : `${advice} Did you mean ${meant}?`
}

/** The settings of a tenant by name. */
export const settings = {
  TIMEZONE: plain(
    z
      .string()
      .refine(isTimeZone, {
        error: ({ input }) => timeZoneAdvice(String(input)),
      })
      .meta({ description: 'The time zone in which days begin; UTC when unset.' }),
  ),
  DEFAULT_ROLE: plain(Text.meta({ description: 'The role of new users; `user` when unset.' })),

  MAIL_MAILER: plain(z.enum(['smtp'])),
  MAIL_HOST: plain(Host),
  MAIL_PORT: plain(Port),
  MAIL_USERNAME: plain(Text),
  MAIL_PASSWORD: secret('The password at the mail server.'),
  MAIL_ENCRYPTION: plain(Encryption),
  MAIL_FROM_ADDRESS: plain(z.email().max(maxAddressCharacters)),
  MAIL_FROM_NAME: plain(Text.refine((text) => !/\p{Cc}/u.test(text), { error: 'The name of a sender is one line.' })),
  MAIL_ANSWERS_PER_HOUR: plain(AnswersPerHour),
  MAIL_SUBJECT_NUMBER: plain(
    Text.regex(subjectNumberForm, {
      error: 'Use [#], or a name before it as in [Desk #]: the number follows the #.',
    }).meta({
      description:
        'How replies and notices by mail have the number of their record in the subject: `[#]` for `[#84]`, `[Desk #]` for `[Desk #84]`. Nothing when unset. A mail with such a number joins its record when its sender takes part in the conversation about it, whatever is set.',
    }),
  ),

  MAIL_SIGNATURE: plain(
    Text.meta({
      description:
        'What replies by mail end with, in place of the name of their author: lines of text, in which `{{user.name}}` is that name.',
    }),
  ),

  IMAP_HOST: plain(MailboxHost),
  IMAP_PORT: plain(Port),
  IMAP_USERNAME: plain(
    Text.meta({
      description:
        'At the mailbox; `MAIL_USERNAME` when unset. For Microsoft 365 and Google: the address of the mailbox.',
    }),
  ),
  IMAP_PASSWORD: secret('The password at the mailbox; `MAIL_PASSWORD` when unset.'),
  IMAP_ENCRYPTION: plain(Encryption),
  IMAP_MAILBOX: plain(
    Text.max(maxMailboxCharacters)
      .refine((text) => !/\p{Cc}/u.test(text), { error: 'The name of a folder is one line.' })
      .meta({ description: 'The folder that is fetched, such as `INBOX/Support`; `INBOX` when unset.' }),
  ),
  IMAP_AUTHSERV_ID: plain(
    Text.regex(/^[^\s;()"\\]+$/, {
      error: 'Use the name with which your mail server begins Authentication-Results, such as mx.google.com.',
    }).meta({
      description:
        'The mail server whose check of senders counts: the name with which it begins the header `Authentication-Results`, such as `mx.google.com`. A mail for which it says `dmarc=pass` is that of the user with the address in `From`. Set it only for a server that adds this header to every mail, on top. When unset, a first mail proves nothing about its sender.',
    }),
  ),
  IMAP_AUTH: plain(
    z.enum(['password', 'client_credentials', 'refresh_token']).meta({
      description:
        'How the service signs in to the mailbox; `password` when unset. Microsoft 365: `client_credentials`, with an app registration that has the application permission `IMAP.AccessAsApp` and was added to the mailbox in Exchange. Google: `refresh_token`, or a password of an app.',
    }),
  ),
  IMAP_OAUTH_TOKEN_URL: plain(
    ProviderAddress.meta({
      description:
        'Where access tokens come from. Microsoft 365: `https://login.microsoftonline.com/<directory id>/oauth2/v2.0/token`. Google: `https://oauth2.googleapis.com/token`.',
    }),
  ),
  IMAP_OAUTH_CLIENT_ID: plain(Text),
  IMAP_OAUTH_CLIENT_SECRET: secret('The client secret of the app registration.'),
  IMAP_OAUTH_REFRESH_TOKEN: secret(
    'The refresh token that the owner of the mailbox consented to. When the provider replaces it, the service keeps the new one by itself.',
  ),
  IMAP_OAUTH_SCOPE: plain(
    Text.meta({
      description:
        'Microsoft 365: `https://outlook.office365.com/.default` with `client_credentials`, `https://outlook.office365.com/IMAP.AccessAsUser.All offline_access` with `refresh_token`. Google: `https://mail.google.com/`.',
    }),
  ),

  FOLLOW_TABLES: plain(
    Text.regex(/^[a-z][a-z0-9_]*(\s*,\s*[a-z][a-z0-9_]*)*$/, {
      error: 'Use names of tables with commas, such as requests, orders.',
    })
      .refine((text) => !/(^|,)\s*sys_/.test(text), { error: 'Built-in tables cannot be followed: name your own.' })
      .meta({
        description:
          'Tables, with commas, whose records may be followed by whoever has their link, which templates call `{{follow_url}}`: title, number, state and public comments. None when unset, which ends all links.',
      }),
  ),

  PORTAL_AGENT_NAMES: plain(
    z.enum(['shown', 'hidden']).meta({
      description: 'Whether requesters see in the portal who answered them; `shown` when unset.',
    }),
  ),

  ACCENT_COLOR: plain(
    z
      .string()
      .regex(/^#[\dA-Fa-f]{6}$/, { error: 'Use a color as six hexadecimal digits after a #, such as #2f5fd0.' })
      .toLowerCase()
      .meta({
        description:
          'The one accent color of the web app, such as `#2f5fd0`, which it is when unset. The app makes its shades for light and dark, and texts on it, readable.',
      }),
  ),

  MESSENGER_BOT_TOKEN: secret('The token of the messenger bot.'),

  SSO_ISSUER: plain(
    ProviderAddress.meta({
      description: 'The identity provider whose tokens sign in here: exactly the `iss` of its tokens.',
    }),
  ),
  SSO_AUDIENCE: plain(
    Text.meta({ description: 'The `aud` of these tokens. Issuer and audience belong to one company.' }),
  ),
  SSO_JWKS_URL: plain(
    ProviderAddress.meta({ description: "The provider's keys; found by discovery from the issuer when unset." }),
  ),
  SSO_CLIENT_SECRET: secret(
    'The client secret at the identity provider, whose client is `SSO_AUDIENCE`: with it people sign in there with their browser, by `GET /api/auth/sso/redirect`. Without it only tokens sign in.',
  ),
  SSO_GROUPS_CLAIM: plain(Text.meta({ description: 'The claim with the groups; `groups` when unset.' })),

  OAUTH_GOOGLE_ISSUER: plain(ProviderAddress.meta({ description: '`https://accounts.google.com` when unset.' })),
  OAUTH_GOOGLE_CLIENT_ID: plain(Text),
  OAUTH_GOOGLE_CLIENT_SECRET: secret('The client secret at Google.'),
  OAUTH_MICROSOFT_ISSUER: plain(DirectoryAddress),
  OAUTH_MICROSOFT_CLIENT_ID: plain(Text),
  OAUTH_MICROSOFT_CLIENT_SECRET: secret('The client secret at Microsoft.'),
} as const satisfies Record<string, Setting>

export type SettingName = keyof typeof settings
export const settingNames = Object.keys(settings) as readonly SettingName[]
export const isSecret = (name: SettingName): boolean => (settings[name] as Setting).isSecret === true

/** The same for the name of any row; undefined for a setting that the service does not know any more. */
export const isSecretSetting = (name: string): boolean | undefined =>
  Object.hasOwn(settings, name) ? isSecret(name as SettingName) : undefined
