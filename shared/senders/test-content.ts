import type { Channel } from '../channels/service.ts'
import type { IntentContent } from '../deliveries/service.ts'

/** What a test message through a channel says. */
export function testContent({ type, name }: Pick<Channel, 'type' | 'name'>): IntentContent {
  const text = `A test of the channel ${name}.`
  if (type !== 'email') return { event: 'channel.test', body: JSON.stringify({ message: text }) }
  return { subject: 'Test mail', body: `<p>${escaped(text)}</p>`, text }
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
const escaped = (text: string): string => text.replaceAll(/[&<>]/g, (one) => entities[one] as string)
