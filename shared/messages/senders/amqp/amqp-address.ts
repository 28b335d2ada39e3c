/** Where an AMQP broker is, and who logs in to which virtual host. */
export interface AmqpAddress {
  readonly protocol: 'amqp' | 'amqps'
  readonly host: string
  readonly port: number
  readonly username: string
  readonly password: string
  readonly vhost: string
}

/**
 * Reads `amqp://user:password@host:port/vhost` (or `amqps`), whose parts may be percent-encoded; undefined when it is no
 * such address. As usual, the user is `guest` and the virtual host `/` when they are left out. Options in the query are
 * ignored.
 */
export function readAmqpAddress(text: string): AmqpAddress | undefined {
  const url = URL.parse(text)
  const protocol = url?.protocol.slice(0, -1)
  if (!url || url.hostname === '' || (protocol !== 'amqp' && protocol !== 'amqps')) return undefined
  const hasLogin = url.username !== '' || url.password !== ''
  try {
    return {
      protocol,
      host: url.hostname,
      port: Number(url.port) || (protocol === 'amqp' ? 5672 : 5671),
      username: hasLogin ? decodeURIComponent(url.username) : 'guest',
      password: hasLogin ? decodeURIComponent(url.password) : 'guest',
      vhost: decodeURIComponent(url.pathname.slice(1)) || '/',
    }
  } catch {
    // A percent sign that begins no character.
    return undefined
  }
}
