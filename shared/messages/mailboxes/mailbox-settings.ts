import type { SettingName } from '../../platform/settings/setting-values.ts'

/** `ssl`: TLS from the start; `tls`: STARTTLS is required; `none`: for servers on this machine. */
export type MailboxEncryption = 'ssl' | 'tls' | 'none'

/** How the service signs in. */
export type MailboxLogin =
  | { readonly kind: 'password'; readonly password: string }
  | ({ readonly kind: 'oauth' } & OauthSettings)

export interface OauthSettings {
  readonly grant: 'client_credentials' | 'refresh_token'
  readonly tokenUrl: string
  readonly clientId: string
  readonly clientSecret: string | undefined
  readonly refreshToken: string | undefined
  readonly scope: string | undefined
  /** The mailbox for which somebody signed in: its refresh token is no setting. */
  readonly mailboxId?: number
}

/** Where the mailbox of a tenant is. */
export interface MailboxSettings {
  readonly host: string
  readonly port: number
  readonly username: string
  /** `unset`: STARTTLS is required, but on this machine, where nothing is encrypted. */
  readonly encryption: MailboxEncryption | 'unset'
  /** The path of the folder. */
  readonly folder: string
  readonly login: MailboxLogin
  /** Where people set it: the settings `IMAP_*`, or the `incoming` of a mailbox. */
  readonly named?: 'incoming'
  /** Read by Microsoft Graph at this base address, and not by IMAP. */
  readonly graphBase?: string
}

/** What a mailbox is read from. */
export const mailboxSettingNames = [
  'MAIL_HOST',
  'MAIL_PORT',
  'MAIL_USERNAME',
  'MAIL_PASSWORD',
  'MAIL_ENCRYPTION',
  'IMAP_HOST',
  'IMAP_PORT',
  'IMAP_USERNAME',
  'IMAP_PASSWORD',
  'IMAP_ENCRYPTION',
  'IMAP_MAILBOX',
  'IMAP_AUTH',
  'IMAP_OAUTH_TOKEN_URL',
  'IMAP_OAUTH_CLIENT_ID',
  'IMAP_OAUTH_CLIENT_SECRET',
  'IMAP_OAUTH_REFRESH_TOKEN',
  'IMAP_OAUTH_SCOPE',
] as const satisfies readonly SettingName[]
type MailboxSettingName = (typeof mailboxSettingNames)[number]

/** Values of settings; secrets are opened, or masked where only their presence matters. */
export type MailboxSettingValues = Partial<Record<MailboxSettingName, string | number | null>>

/** Ports at which a server takes mail and never shows any. */
const submissionPorts: ReadonlySet<number> = new Set([25, 465, 587, 2525])

/** The settings of the mailbox, or the names of those that are missing. `IMAP_*` default to `MAIL_*`. */
export function mailboxSettingsOf(
  values: MailboxSettingValues,
): MailboxSettings | { readonly missing: MailboxSettingName[] } {
  const text = textsOf(values)
  const host = text('IMAP_HOST', 'MAIL_HOST')
  const username = text('IMAP_USERNAME', 'MAIL_USERNAME')
  const login = loginOf(values)
  if (host === undefined || username === undefined || 'missing' in login) {
    const missing: MailboxSettingName[] = 'missing' in login ? login.missing : []
    if (username === undefined) missing.unshift('IMAP_USERNAME')
    if (host === undefined) missing.unshift('IMAP_HOST')
    return { missing }
  }
  return { host, username, login, folder: text('IMAP_MAILBOX') ?? 'INBOX', ...transportOf(values) }
}

/** Whether `IMAP_*` name a mailbox, so that somebody means to fetch it. */
export const namesMailbox = (values: MailboxSettingValues): boolean =>
  Object.entries(values).some(([name, value]) => name.startsWith('IMAP_') && value !== null && value !== undefined)

/** Reads the first of some settings that has a value. */
const textsOf =
  (values: MailboxSettingValues) =>
  (...names: readonly MailboxSettingName[]): string | undefined => {
    const found = names
      .map((name) => values[name])
      .find((value) => value !== null && value !== undefined && value !== '')
    return found === undefined ? undefined : String(found)
  }

function loginOf(values: MailboxSettingValues): MailboxLogin | { readonly missing: MailboxSettingName[] } {
  const text = textsOf(values)
  const grant = text('IMAP_AUTH') ?? 'password'
  if (grant !== 'client_credentials' && grant !== 'refresh_token') {
    const password = text('IMAP_PASSWORD', 'MAIL_PASSWORD')
    return password === undefined ? { missing: ['IMAP_PASSWORD'] } : { kind: 'password', password }
  }
  const [tokenUrl, clientId] = [text('IMAP_OAUTH_TOKEN_URL'), text('IMAP_OAUTH_CLIENT_ID')]
  const [clientSecret, refreshToken] = [text('IMAP_OAUTH_CLIENT_SECRET'), text('IMAP_OAUTH_REFRESH_TOKEN')]
  const missing: MailboxSettingName[] = []
  if (tokenUrl === undefined) missing.push('IMAP_OAUTH_TOKEN_URL')
  if (clientId === undefined) missing.push('IMAP_OAUTH_CLIENT_ID')
  if (grant === 'client_credentials' && clientSecret === undefined) missing.push('IMAP_OAUTH_CLIENT_SECRET')
  if (grant === 'refresh_token' && refreshToken === undefined) missing.push('IMAP_OAUTH_REFRESH_TOKEN')
  if (tokenUrl === undefined || clientId === undefined || missing.length > 0) return { missing }
  return { kind: 'oauth', grant, tokenUrl, clientId, clientSecret, refreshToken, scope: text('IMAP_OAUTH_SCOPE') }
}

/**
 * Port and encryption. `MAIL_*` count where they can mean a mailbox: of the same host, and not the port of a server that
 * takes mail. Without a port it is 993 with TLS (RFC 8314), or 143 with STARTTLS.
 */
function transportOf(values: MailboxSettingValues): Pick<MailboxSettings, 'port' | 'encryption'> {
  const text = textsOf(values)
  const isSameHost = text('IMAP_HOST') === undefined || text('IMAP_HOST') === text('MAIL_HOST')
  const mailPort = Number(text('MAIL_PORT') ?? 0)
  const isMailbox = isSameHost && mailPort > 0 && !submissionPorts.has(mailPort)
  const given = Number(text('IMAP_PORT') ?? 0) || (isMailbox ? mailPort : undefined)
  const named = text('IMAP_ENCRYPTION') ?? (isMailbox ? text('MAIL_ENCRYPTION') : undefined)
  if (named === 'ssl' || named === 'tls') return { encryption: named, port: given ?? (named === 'ssl' ? 993 : 143) }
  return given === undefined || given === 993 ? { encryption: 'ssl', port: 993 } : { encryption: 'unset', port: given }
}
