interface Sender {
  readonly fromAddress: string
  readonly fromName?: string
}

/** `ssl`: TLS from the start; `tls`: STARTTLS is required; `opportunistic`: STARTTLS if the server offers it. */
type Encryption = 'ssl' | 'tls' | 'opportunistic' | 'none'

export interface SmtpSettings extends Sender {
  readonly transport: 'smtp'
  readonly host: string
  readonly port: number
  /** No login when undefined. */
  readonly username?: string
  readonly password?: string
  /** Instead of a password (XOAUTH2). */
  readonly accessToken?: string
  readonly encryption: Encryption
}

/** Amazon SES, in the account of the deployment. */
export interface SesSettings extends Sender {
  readonly transport: 'ses'
}

/** Microsoft Graph. */
export interface GraphSettings extends Sender {
  readonly transport: 'graph'
  /** With the version: `https://graph.microsoft.com/v1.0`. */
  readonly base: string
  /** The address of the mailbox that sends. */
  readonly user: string
  readonly accessToken: string
}

/** Through what and as whom mails are sent. */
export type MailSettings = SmtpSettings | SesSettings | GraphSettings

type MailSettingName =
  | 'MAIL_HOST'
  | 'MAIL_PORT'
  | 'MAIL_USERNAME'
  | 'MAIL_PASSWORD'
  | 'MAIL_ENCRYPTION'
  | 'MAIL_FROM_ADDRESS'
  | 'MAIL_FROM_NAME'

/** The mail server of the deployment, as its environment names it. */
type MailSettingValues = Partial<Record<MailSettingName, string | number | null>>

/** Submission over TLS (RFC 8314), submission with STARTTLS (RFC 6409), and relay without encryption. */
const defaultPort: Readonly<Record<Encryption, number>> = { ssl: 465, tls: 587, opportunistic: 587, none: 25 }

/** Where Microsoft Graph is, unless another host is named, such as that of a national cloud. */
export const usualGraphHost = 'graph.microsoft.com'

/** The base address of Microsoft Graph. */
export const graphBase = ({
  host,
  port,
  encryption,
}: {
  readonly host?: string | null | undefined
  readonly port?: number | null | undefined
  readonly encryption?: string | null | undefined
}): string => `http${encryption === 'none' ? '' : 's'}://${host ?? usualGraphHost}${port ? `:${port}` : ''}/v1.0`

/** The settings of an SMTP server, with the port of its encryption unless one is given. */
export const smtpSettings = ({
  port,
  encryption = 'opportunistic',
  ...settings
}: Omit<SmtpSettings, 'transport' | 'port' | 'encryption'> &
  Partial<Pick<SmtpSettings, 'port' | 'encryption'>>): SmtpSettings => ({
  transport: 'smtp',
  ...settings,
  port: port ?? defaultPort[encryption],
  encryption,
})

/** The mail settings of the deployment; undefined when host or sender is missing, so that no mail can be sent. */
export function mailSettingsOf(values: MailSettingValues): SmtpSettings | undefined {
  const { MAIL_HOST: host, MAIL_FROM_ADDRESS: fromAddress, MAIL_ENCRYPTION: encryption } = values
  if (!host || !fromAddress) return undefined
  return smtpSettings({
    host: String(host),
    port: values.MAIL_PORT ? Number(values.MAIL_PORT) : undefined,
    username: textOf(values.MAIL_USERNAME),
    password: textOf(values.MAIL_PASSWORD),
    encryption: encryption === 'ssl' || encryption === 'tls' ? encryption : undefined,
    fromAddress: String(fromAddress),
    fromName: textOf(values.MAIL_FROM_NAME),
  })
}

const textOf = (value: string | number | null | undefined): string | undefined =>
  value === null || value === undefined || value === '' ? undefined : String(value)
