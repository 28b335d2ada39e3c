/**
 * The webhooks of the Bot API as the real one serves them: updates of a chat in their order, one at a time; those of
 * other chats beside them, over several connections; each again, after a growing wait, until it is answered 2xx.
 */
import { setTimeout as sleep } from 'node:timers/promises'

export interface SentUpdate {
  readonly update_id: number
  readonly [member: string]: unknown
}

/** One delivery of an update, with what came of it. */
export interface UpdateDelivery {
  readonly token: string
  readonly update: SentUpdate
  /** 0: the connection broke. */
  readonly status: number
  readonly body: string
  readonly ms: number
}

interface Webhook {
  readonly url: string
  readonly secret: string
  readonly allowed: readonly string[] | undefined
  readonly connections: number
  lastError?: string
}

interface Options {
  /** Before the first repeat; it doubles up to thirty times that. */
  readonly backOffMs?: number
  /** Whether the answer to a delivery is lost, so that the update is sent again although it was taken. */
  readonly losesAnswer?: (update: SentUpdate, attempt: number) => boolean
  /** How long an update waits before it is sent, which shuffles chats. */
  readonly delayMs?: (update: SentUpdate) => number
}

const defaultConnections = 40

export function botWebhooks({ backOffMs = 20, losesAnswer = () => false, delayMs = () => 0 }: Options = {}) {
  const webhooks = new Map<string, Webhook>()
  const queues = new Map<string, SentUpdate[]>()
  const running = new Set<Promise<void>>()
  const deliveries: UpdateDelivery[] = []
  const busy = new Map<string, number>()
  let nextId = 100_000
  let closed = false

  const pendingOf = (token: string): number =>
    [...queues].filter(([key]) => key.startsWith(`${token} `)).reduce((sum, [, queue]) => sum + queue.length, 0)

  async function deliver(token: string, update: SentUpdate, attempt: number): Promise<boolean> {
    const webhook = webhooks.get(token)
    // Without a webhook updates wait for one.
    if (!webhook) return false
    const startedAt = performance.now()
    let [status, body] = [0, '']
    try {
      const answer = await fetch(webhook.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': webhook.secret },
        body: JSON.stringify(update),
      })
      ;[status, body] = [answer.status, await answer.text()]
    } catch {
      // The connection broke: status 0.
    }
    deliveries.push({ token, update, status, body, ms: performance.now() - startedAt })
    if (status >= 200 && status < 300) return !losesAnswer(update, attempt)
    webhook.lastError = `Wrong response from the webhook: ${status}`
    return false
  }

  async function freeConnection(token: string): Promise<void> {
    while (!closed && (busy.get(token) ?? 0) >= (webhooks.get(token)?.connections ?? defaultConnections)) await sleep(1)
  }

  async function drainChat(token: string, queue: SentUpdate[]): Promise<void> {
    for (let attempt = 1; queue.length > 0 && !closed;) {
      const update = queue[0] as SentUpdate
      if (attempt === 1) await sleep(delayMs(update))
      await freeConnection(token)
      busy.set(token, (busy.get(token) ?? 0) + 1)
      const taken = await deliver(token, update, attempt)
      busy.set(token, (busy.get(token) ?? 1) - 1)
      if (queue[0] !== update) continue
      if (taken) {
        queue.shift()
        attempt = 1
      } else {
        await sleep(Math.min(backOffMs * 2 ** (attempt - 1), backOffMs * 30))
        attempt++
      }
    }
  }

  /** Something happens at a bot: an update without its id. Answers the id. */
  function happen(token: string, content: object, id = nextId++): number {
    const update: SentUpdate = { update_id: id, ...content }
    const [kind = ''] = Object.keys(content)
    const { allowed } = webhooks.get(token) ?? {}
    if (allowed && allowed.length > 0 && !allowed.includes(kind)) return id
    const key = `${token} ${chatOf(update)}`
    const queue = queues.get(key) ?? []
    const isIdle = queue.length === 0
    queue.push(update)
    queues.set(key, queue)
    if (isIdle) {
      const run = drainChat(token, queue).finally(() => running.delete(run))
      running.add(run)
    }
    return id
  }

  const methods: Readonly<Record<string, (token: string, parameters: Readonly<Record<string, unknown>>) => unknown>> = {
    setWebhook(token, { url, secret_token, allowed_updates, max_connections, drop_pending_updates }) {
      if (drop_pending_updates === true) dropPending(token)
      if (!url) return webhooks.delete(token) || true
      webhooks.set(token, {
        url: String(url),
        secret: String(secret_token ?? ''),
        allowed: allowed_updates as string[] | undefined,
        connections: Number(max_connections ?? defaultConnections),
      })
      return true
    },
    deleteWebhook(token, { drop_pending_updates }) {
      if (drop_pending_updates === true) dropPending(token)
      webhooks.delete(token)
      return true
    },
    getWebhookInfo(token) {
      const { url = '', allowed, connections, lastError } = webhooks.get(token) ?? {}
      return {
        url,
        has_custom_certificate: false,
        pending_update_count: pendingOf(token),
        max_connections: connections,
        allowed_updates: allowed,
        ...(lastError !== undefined && { last_error_message: lastError }),
      }
    },
  }

  const dropPending = (token: string): void => {
    for (const [key, queue] of queues) if (key.startsWith(`${token} `)) queue.length = 0
  }

  return {
    methods,
    happen,
    deliveries,
    webhookOf: (token: string): Pick<Webhook, 'url' | 'secret'> | undefined => webhooks.get(token),
    pending: pendingOf,
    /** Resolves once every update was taken. */
    async settled(): Promise<void> {
      while (running.size > 0) await Promise.all(running)
    },
    close: () => {
      closed = true
    },
  }
}

/** The chat whose order is kept. */
function chatOf(update: SentUpdate): string {
  const [content] = Object.entries(update)
    .filter(([name]) => name !== 'update_id')
    .map(([, value]) => value)
  const { chat, message, from } = (content ?? {}) as {
    chat?: { id: unknown }
    message?: { chat?: { id: unknown } }
    from?: { id: unknown }
  }
  return String(chat?.id ?? message?.chat?.id ?? from?.id ?? '')
}
