import { translateText } from './translate-text.ts'
import { quoted, type VendorHost, wordOf } from './vendor-words.ts'

/** Reads the key of a message in the words of Camunda 8, `zeebe:subscription`. */
export function adoptSubscription(host: VendorHost): void {
  const [subscription] = host.takeElements('zeebe', 'subscription')
  const key = subscription && wordOf(subscription, 'correlationKey')
  if (key === undefined || key.text === '' || host.node.correlationKey !== undefined) return
  const text = translateText(key.text)
  if (text !== undefined) host.node.correlationKey = text
  else host.warn(`has ${quoted(key)}, which the service cannot evaluate; use wf:correlationKey`)
}
