import { isIP } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ConnectionOptions } from 'node:tls'
import { type ChannelModel, type ConfirmChannel, connect } from 'amqplib'
import { publicAddressOf, type Resolve } from '../../../kernel/addresses/public-address.ts'
import { log } from '../../../kernel/runtime/log.ts'
import type { AmqpAddress } from './amqp-address.ts'

export interface AmqpGuard {
  /** Allows brokers on this machine; for the local cloud. */
  readonly loopbackAllowed: boolean
  readonly resolve?: Resolve
  /** Additional trust, for tests. */
  readonly tls?: Pick<ConnectionOptions, 'ca'>
}

/** A broker drops a connection that is silent for twice as long. */
const heartbeatSeconds = 30
/** What a broker sends to a publisher is small, but for a message that it returns, which comes in frames. */
const maxFrameSize = 1024 * 1024
/** How long a broker may take to say goodbye. */
const closeMs = 1000

/** Connects to a broker at the address that was checked. `cut` ends the connection at any time, without goodbye. */
export async function openAmqpConnection(
  { host, protocol, port, username, password, vhost }: AmqpAddress,
  { loopbackAllowed, resolve, tls }: AmqpGuard,
  cut: AbortSignal,
): Promise<ChannelModel> {
  const hostname = await publicAddressOf(host, { loopbackAllowed, resolve })
  cut.throwIfAborted()
  const name = host.replace(/^\[(.*)\]$/, '$1')
  const socket = {
    ...tls,
    // The certificate is for the name, the connection to the address.
    ...(isIP(name) === 0 && { servername: name }),
    signal: cut,
    noDelay: true,
    clientProperties: { connection_name: 'entity-workflow' },
  }
  const login = { username, password, vhost: encodeURIComponent(vhost) }
  const model = await connect({ protocol, hostname, port, ...login, heartbeat: heartbeatSeconds, maxFrameSize }, socket)
  // Its `close` follows, and attempts learn of that from their channels.
  model.on('error', (error) => log.debug('an AMQP connection failed', { error: error.message }))
  return model
}

/** Says goodbye, and ends the connection whether or not the broker answers. */
export async function closeAmqpConnection(opening: Promise<ChannelModel>, cut: AbortController): Promise<void> {
  try {
    const model = await opening
    await Promise.race([model.close(), sleep(closeMs, undefined, { ref: false })])
  } catch (cause) {
    log.debug('an AMQP connection had ended before it was closed', { cause: String(cause) })
  } finally {
    cut.abort()
  }
}

/** A channel with confirms. */
export interface AmqpChannel {
  readonly channel: ConfirmChannel
  isOpen: boolean
}

export async function openAmqpChannel(model: ChannelModel): Promise<AmqpChannel> {
  const opened: AmqpChannel = { channel: await model.createConfirmChannel(), isOpen: true }
  // The attempt that uses the channel reports the error; without a listener the process would end.
  opened.channel.on('error', (error) => log.debug('a broker closed an AMQP channel', { error: error.message }))
  opened.channel.on('close', () => (opened.isOpen = false))
  return opened
}
