import type { Tenant } from '../../../kernel/tenancy.ts'
import { normalAddress } from '../../../platform/mail/normal-address.ts'
import { storedSettings } from '../../../platform/settings/read-settings.ts'
import type { SettingName } from '../../../platform/settings/setting-values.ts'
import type { Config } from '../../../platform/store/config.ts'
import { channelOf } from '../../channels/channel.ts'

/** Whom a company answers automatically, and how often. */
export interface AnswerLimits {
  readonly perHour: number
  /** The addresses of its mailbox and of its mail channels, as `normalAddress` makes them. */
  readonly ownAddresses: ReadonlySet<string>
}

const defaultAnswersPerHour = 5
/** Settings that may hold the address of the mailbox, or of what the company sends from. */
const addressSettings = ['IMAP_USERNAME', 'MAIL_USERNAME', 'MAIL_FROM_ADDRESS'] as const satisfies SettingName[]

/** What bounds the automatic answers of a company, cached with its configuration. */
export async function answerLimits(config: Pick<Config, 'list'>, tenant: Tenant): Promise<AnswerLimits> {
  const [settings, channels] = await Promise.all([
    storedSettings(config, tenant),
    config.list(tenant, 'CHANNEL', channelOf),
  ])
  const addresses = [
    ...addressSettings.map((name) => settings.get(name)?.value),
    ...channels.map(({ config: { from_address: address } }) => address),
  ]
  const perHour = settings.get('MAIL_ANSWERS_PER_HOUR')?.value
  return {
    perHour: typeof perHour === 'number' ? perHour : defaultAnswersPerHour,
    ownAddresses: new Set(
      addresses.flatMap((address) => (typeof address === 'string' ? (normalAddress(address) ?? []) : [])),
    ),
  }
}
