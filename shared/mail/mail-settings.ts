/** Where and as whom the mails of a tenant are sent. */
export interface MailSettings {
  readonly host: string
  readonly port: number
  /** No login when undefined. */
  readonly username?: string
  readonly password?: string
  /** `ssl`: TLS from the start; `tls`: STARTTLS is required; undefined: STARTTLS if the server offers it. */
  readonly encryption?: 'ssl' | 'tls'
  readonly fromAddress: string
  readonly fromName?: string
}

/** The settings of the specification (Settings, Integrations, Email) by name. A setting without a value is left out. */
export type MailSettingValues = Partial<Record<(typeof mailSettingNames)[number], string | number | null>>

export const mailSettingNames = [
  'MAIL_HOST',
  'MAIL_PORT',
  'MAIL_USERNAME',
  'MAIL_PASSWORD',
  'MAIL_ENCRYPTION',
  'MAIL_FROM_ADDRESS',
  'MAIL_FROM_NAME',
] as const

/** The port of a submission over TLS, and the one of a submission with STARTTLS (RFC 8314, RFC 6409). */
const defaultPort = { ssl: 465, tls: 587 }

/** The mail settings of a tenant; undefined when host or sender is missing, so that no mail can be sent. */
export function mailSettingsOf(values: MailSettingValues): MailSettings | undefined {
  const { MAIL_HOST: host, MAIL_FROM_ADDRESS: fromAddress } = values
  if (!host || !fromAddress) return undefined
  const encryption =
    values.MAIL_ENCRYPTION === 'ssl' || values.MAIL_ENCRYPTION === 'tls' ? values.MAIL_ENCRYPTION : undefined
  return {
    host: String(host),
    port: Number(values.MAIL_PORT || defaultPort[encryption ?? 'tls']),
    username: textOf(values.MAIL_USERNAME),
    password: textOf(values.MAIL_PASSWORD),
    encryption,
    fromAddress: String(fromAddress),
    fromName: textOf(values.MAIL_FROM_NAME),
  }
}

const textOf = (value: string | number | null | undefined): string | undefined =>
  value === null || value === undefined || value === '' ? undefined : String(value)
