import { escapeHtml } from '../../kernel/text/escape-html.ts'
import { type Channel, channelTypeOf } from '../channels/service.ts'
import type { IntentContent } from '../deliveries/service.ts'

/** What a test message through a channel says. */
export function testContent({ type, name }: Pick<Channel, 'type' | 'name'>): IntentContent {
  const text = `A test of the channel ${name}.`
  switch (channelTypeOf(type).content) {
    case 'text':
      return { event: 'channel.test', body: text }
    case 'json':
      return { event: 'channel.test', body: JSON.stringify({ message: text }) }
    case 'mail':
      return { subject: 'Test mail', body: `<p>${escapeHtml(text)}</p>`, text }
  }
}
