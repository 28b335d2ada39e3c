import type { OpenedChannel } from '../../channels/channel.ts'

type Auth = OpenedChannel<'webhook'>['config']['auth']

/** The header by which a channel identifies itself to a receiver over HTTP. */
export function authorization(auth: Auth): Record<string, string> {
  switch (auth.type) {
    case 'none':
      return {}
    case 'basic':
      return { authorization: `Basic ${Buffer.from(`${auth.username}:${auth.password}`).toString('base64')}` }
    case 'bearer':
      return { authorization: `Bearer ${auth.token}` }
    case 'header':
      return { [auth.name.toLowerCase()]: auth.value }
  }
}
