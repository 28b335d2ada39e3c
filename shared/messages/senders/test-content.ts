import { escapeHtml } from '../../kernel/text/escape-html.ts'
import { channelTypeOf } from '../channels/channel-types.ts'
import type { Channel } from '../channels/channel.ts'
import type { IntentContent } from '../deliveries/rows/intent-content.ts'

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
