import { maxSmsCharacters } from '../../../kernel/limits/messages.ts'
import type { OpenedChannel } from '../../channels/channel.ts'
import type { Sender } from '../../deliveries/sender.ts'
import type { Outcome } from '../../deliveries/state/outcome.ts'
import { phoneNumber } from './phone-number.ts'

/** A text that may be sent, to a number in international form. */
export interface Sms {
  /** The same in every attempt. */
  readonly id: string
  readonly to: string
  readonly text: string
}

type Config = OpenedChannel<'sms'>['config']

/** Hands an SMS to a provider. */
export type SmsProvider = (sms: Sms, config: Config) => Promise<Outcome>

/** Sends SMS through the provider of their channel. Numbers and texts that no provider takes are refused. */
export const smsSender = (providers: Readonly<Record<Config['provider'], SmsProvider>>): Sender<'sms'> => ({
  async send({ id, recipient, body }, { config }) {
    const to = phoneNumber(recipient)
    if (to === undefined)
      return refused(
        `${JSON.stringify(recipient.slice(0, 100))} is not a phone number in international form, such as +49 151 12345678.`,
      )
    const text = body.trim()
    if (text === '') return refused('An SMS needs a text.')
    const { length } = text
    if (length > maxSmsCharacters)
      return refused(`The text has ${length} characters, and an SMS may have ${maxSmsCharacters}: shorten it.`)
    return providers[config.provider]({ id, to, text }, config)
  },
})

const refused = (error: string): Outcome => ({ kind: 'refused', by: 'service', error })
