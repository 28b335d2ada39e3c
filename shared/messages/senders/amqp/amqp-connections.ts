import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ChannelModel, ConfirmChannel } from 'amqplib'
import { untilAborted } from '../../../kernel/runtime/until-aborted.ts'
import type { Clock } from '../../../kernel/time/clock.ts'
import type { AmqpAddress } from './amqp-address.ts'
import {
  type AmqpChannel,
  type AmqpGuard,
  closeAmqpConnection,
  openAmqpChannel,
  openAmqpConnection,
} from './amqp-connection.ts'

/** The broker takes no messages for now: an alarm of its memory or disk. The message is the broker's reason. */
export class BrokerBlocked extends Error {
  override readonly name = 'BrokerBlocked'
}

export interface AmqpConnectionsOptions extends AmqpGuard {
  readonly clock: Pick<Clock, 'now'>
  /** How long a connection without work is kept. */
  readonly idleMs?: number
}

/**
 * Lends a confirm channel of a warm connection to a broker, which is opened when there is none. The key names the
 * configuration, so that no other shares its connection. When the signal aborts, the connection is cut: the broker does
 * not answer on it. Rejects with the errors of the look-up, the network and the broker, BrokerBlocked, or the reason of
 * the signal.
 */
type UseAmqpChannel = <T>(
  key: string,
  address: AmqpAddress,
  signal: AbortSignal,
  work: (channel: ConfirmChannel) => Promise<T>,
) => Promise<T>

/** Half of the time after which a broker drops a connection because of a function that is frozen between its calls. */
const defaultIdleMs = 30_000

interface Connection {
  readonly opening: Promise<ChannelModel>
  /** Channels without a message. Each carries one at a time, so what goes wrong on it concerns no other. */
  readonly free: AmqpChannel[]
  readonly cut: AbortController
  users: number
  usedMs: number
  blocked?: string
  idle?: NodeJS.Timeout
}

/** Connections to brokers, one for each key, closed when nothing was sent for a while. */
export function amqpConnections({ clock, idleMs = defaultIdleMs, ...guard }: AmqpConnectionsOptions): UseAmqpChannel {
  const connections = new Map<string, Connection>()

  function forget(key: string, connection: Connection): void {
    if (connections.get(key) === connection) connections.delete(key)
    clearTimeout(connection.idle)
  }

  function begin(key: string, address: AmqpAddress): Connection {
    const cut = new AbortController()
    const opening = openAmqpConnection(address, guard, cut.signal)
    const connection: Connection = { opening, free: [], cut, users: 0, usedMs: clock.now() }
    connections.set(key, connection)
    opening.then(
      (model) => {
        model.on('blocked', (reason) => (connection.blocked = reason))
        model.on('unblocked', () => (connection.blocked = undefined))
        model.on('close', () => forget(key, connection))
      },
      () => forget(key, connection),
    )
    return connection
  }

  async function connectionFor(key: string, address: AmqpAddress): Promise<Connection> {
    // What the network reported while the function was frozen comes first: the end of the connection, perhaps.
    if (connections.has(key)) await nextTurn()
    const warm = connections.get(key)
    const isStale = warm?.users === 0 && clock.now() - warm.usedMs >= idleMs
    if (warm && !isStale) return warm
    if (warm) {
      forget(key, warm)
      warm.cut.abort()
    }
    return begin(key, address)
  }

  function closeWhenIdle(key: string, connection: Connection): void {
    connection.usedMs = clock.now()
    if (connection.users > 0 || connections.get(key) !== connection) return
    connection.idle = setTimeout(() => {
      forget(key, connection)
      void closeAmqpConnection(connection.opening, connection.cut)
    }, idleMs)
  }

  return async (key, address, signal, work) => {
    const connection = await connectionFor(key, address)
    if (connection.blocked !== undefined) throw new BrokerBlocked(connection.blocked)
    connection.users += 1
    clearTimeout(connection.idle)
    try {
      const opening = connection.opening.then((model) => connection.free.pop() ?? openAmqpChannel(model))
      const lent = await untilAborted(signal, opening)
      const result = await untilAborted(signal, work(lent.channel))
      if (lent.isOpen) connection.free.push(lent)
      return result
    } catch (cause) {
      // Whatever went wrong, what this connection does next is not known.
      forget(key, connection)
      connection.cut.abort()
      throw connection.blocked === undefined ? cause : new BrokerBlocked(connection.blocked)
    } finally {
      connection.users -= 1
      closeWhenIdle(key, connection)
    }
  }
}
