import { errorMessage } from '../error-message.ts'
import { callsTo, type Account, type SmokeApi } from './smoke-api.ts'

export interface SmokeTarget extends Account {
  readonly url: string
  /** False: no message comes in, because the rules of the tenant would run for it. */
  readonly webhooks: boolean
  /** Of the table, the channel and the source of this run: nobody else has any called so. */
  readonly name: string
}

export interface Check {
  readonly name: string
  readonly outcome: 'ok' | 'failed' | 'skipped'
}

/** Why a check has nothing to try. */
class Skipped extends Error {}

/** How long what runs in the background may take: a cold start of each function on the way, and a retry. */
const waitMs = 90_000
const lookEveryMs = 300

/**
 * Runs all checks in their order and says a line for each: what, how long, and why it failed. What needs a check that failed
 * is skipped. Removes at the end what it made; what could not be removed is a failed check.
 */
export async function smoke(target: SmokeTarget, say: (line: string) => void): Promise<Check[]> {
  const { name, email } = target
  const { api, signIn } = callsTo(target.url)
  const checks: Check[] = []
  const failed = new Set<string>()
  const undo: [string, () => Promise<unknown>][] = []

  /** Tries one thing, unless one of `needs` did not work. Answers what it found. */
  async function check<T>(what: string, needs: readonly string[], run: () => Promise<T>): Promise<T | undefined> {
    const startedAt = performance.now()
    const report = (outcome: Check['outcome'], why = ''): void => {
      checks.push({ name: what, outcome })
      if (outcome !== 'ok') failed.add(what)
      const ms = `${Math.round(performance.now() - startedAt)} ms`
      say(`${outcome.padEnd(8)}${what.padEnd(24)}${ms.padStart(9)}${why && `  ${why}`}`)
    }
    const missing = needs.find((one) => failed.has(one))
    if (missing !== undefined) return void report('skipped', `needs: ${missing}`)
    try {
      const found = await run()
      report('ok')
      return found
    } catch (error) {
      report(error instanceof Skipped ? 'skipped' : 'failed', errorMessage(error))
      return undefined
    }
  }

  await check('health', [], () => api('GET', '/api/health'))
  await check('login', [], () => signIn(target))
  await check('table', ['login'], async () => {
    await api('POST', '/api/sys/entities', {
      name,
      table_fields: [
        { name: 'title', type: 'text', required: true, searchable: true },
        { name: 'stamp', type: 'text' },
      ],
    })
    undo.unshift(['table', () => api('DELETE', `/api/sys/entities/name/${name}`)])
  })
  const source = await check('inbound source', ['login'], async () => {
    if (!target.webhooks) throw new Skipped('--without-webhooks')
    const made = await api('POST', '/api/sys/inbound-sources', { name })
    undo.push(['inbound source', () => api('DELETE', `/api/sys/inbound-sources/${made.id}`)])
    return String(made.token)
  })
  await check('webhook channel', ['inbound source'], async () => {
    const url = `${target.url}/api/in/${source}`
    const made = await api('POST', '/api/sys/channels', { name, type: 'webhook', config: { url } })
    undo.push(['webhook channel', () => api('DELETE', `/api/sys/channels/${made.id}`)])
  })
  await check('hooks', ['table'], () =>
    api('PUT', `/api/sys/entities/name/${name}`, {
      name,
      automations: [
        { kind: 'before_create', script: '$data.stamp = "stamped " + $data.title', position: 1 },
        ...(failed.has('webhook channel')
          ? []
          : [{ kind: 'after_create', script: `$api.sendWebhook({ smoke: '${name}' }, '${name}')`, position: 2 }]),
      ],
    }),
  )
  const title = `${name} first`
  const id = await check('create, a hook runs', ['hooks'], async () => {
    const made = await api('POST', `/api/e/${name}`, { title })
    const { stamp } = made.data as { stamp?: unknown }
    if (stamp !== `stamped ${title}`) throw new Error(`The hook did not set "stamp": it is ${JSON.stringify(stamp)}.`)
    return Number(made.id)
  })
  await check('read and change', ['create, a hook runs'], async () => {
    await api('GET', `/api/e/${name}/${id}`)
    await api('PATCH', `/api/e/${name}/${id}`, { title: `${name} second` })
  })
  await check('list with a filter', ['read and change'], async () => {
    const found = await api(
      'GET',
      `/api/e/${name}?filter=${encodeURIComponent(JSON.stringify({ title: `${name} second` }))}`,
    )
    requireOne(found)
  })
  await check('search', ['read and change'], async () => requireOne(await api('GET', `/api/e/${name}?search=second`)))
  await check('history', ['read and change'], () =>
    eventually('the history has both versions', async () => {
      const entries = await api('GET', `/api/sys/history/${name}/${id}`)
      return Array.isArray(entries) && entries.length >= 2
    }),
  )
  await check('webhook out', ['webhook channel', 'create, a hook runs'], () =>
    eventually('the webhook is delivered', async () => {
      const sent = (await api('GET', `/api/sys/deliveries?model=${name}`)) as unknown as readonly Delivery[]
      const ended = sent.find(({ status }) => status === 'failed')
      if (ended) throw new Error(`The delivery ${ended.id} failed: ${ended.last_error}`)
      if (sent.some(({ status }) => status === 'delivered')) return true
      return sent.map(({ status, last_error: why }) => `${status}${why === null ? '' : `, ${why}`}`).join('; ') || false
    }),
  )
  await check('webhook in', ['webhook out'], () =>
    eventually('the message came in', async () => {
      const came = await api('GET', '/api/sys/incoming_messages?channel=api&per_page=100')
      return JSON.stringify(came).includes(name)
    }),
  )
  await check('mail', ['login'], () => sendMail(api, email))
  await check('nothing is left', ['login'], () =>
    removeAll(undo, async () => void (id && (await api('DELETE', `/api/e/${name}/${id}`)))),
  )
  await check('logout', ['login'], () => api('POST', '/api/logout'))
  return checks
}

interface Delivery {
  readonly id: number
  readonly status: string
  readonly last_error: string | null
}

function requireOne(found: unknown): void {
  const count = Array.isArray(found) ? found.length : 0
  if (count !== 1) throw new Error(`It finds ${count} records, not one.`)
}

async function sendMail(api: SmokeApi, to: string): Promise<void> {
  const sent = await api('POST', '/api/sys/settings/test-email', { to }).catch((error: unknown) => {
    if (error instanceof Error && 'status' in error && error.status === 422)
      throw new Skipped('neither a mail channel nor MAIL_* settings')
    throw error
  })
  if (sent.status !== 'delivered') throw new Error(`The mail is ${String(sent.status)}: ${String(sent.error)}`)
}

/** Undoes what was made; tries everything, and names what remains. */
async function removeAll(
  undo: readonly (readonly [string, () => Promise<unknown>])[],
  first: () => Promise<void>,
): Promise<void> {
  const left: string[] = []
  for (const [what, run] of [['record', first] as const, ...undo])
    await run().catch((error: unknown) => left.push(`${what}: ${errorMessage(error)}`))
  if (left.length > 0) throw new Error(`It remains: ${left.join('; ')}`)
}

/** Waits until `look` answers true; what else it answers is how things stand. */
async function eventually(what: string, look: () => Promise<boolean | string>): Promise<void> {
  const endsAt = Date.now() + waitMs
  for (;;) {
    const found = await look()
    if (found === true) return
    const so = typeof found === 'string' ? ` (${found})` : ''
    if (Date.now() > endsAt) throw new Error(`After ${waitMs / 1000} s it is still not so that ${what}${so}.`)
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs))
  }
}
