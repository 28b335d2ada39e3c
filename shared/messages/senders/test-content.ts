import { escapeHtml } from '../../kernel/text/escape-html.ts'
import type { Channel } from '../channels/service.ts'
import type { IntentContent } from '../deliveries/service.ts'

/** What a test message through a channel says. */
export function testContent({ type, name }: Pick<Channel, 'type' | 'name'>): IntentContent {
  const text = `A test of the channel ${name}.`
  if (type === 'messenger' || type === 'sms') return { event: 'channel.test', body: text }
  if (type !== 'email') return { event: 'channel.test', body: JSON.stringify({ message: text }) }
  return { subject: 'Test mail', body: `<p>${escapeHtml(text)}</p>`, text }
}
