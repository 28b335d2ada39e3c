import { dueKinds } from '../../../shared/platform/store/due/due-kinds.ts'
import { duePartitionsOf } from '../../../shared/platform/store/due/oldest-due.ts'
import { parseFileKey } from '../../../shared/platform/store/keys/files.ts'
import { dueAtOf } from '../../../shared/platform/store/keys/key.ts'
import { dueSlot, slotName } from '../../../shared/platform/store/slots.ts'
import { deploymentWide } from '../../../shared/platform/store/store.ts'
import { ConditionFailed } from '../../../shared/platform/store/writes/refusals.ts'
import type { ApiAnswer, TestService } from '../../make/services/service.ts'
import { startService } from '../../make/services/service.ts'
import { scannerOf } from '../../make/services/stores/items-of.ts'
import type { StoredItem } from '../../make/services/stores/single-table.ts'

/** A running service with the helpers of the fault tests. */
export interface World {
  readonly service: TestService
  /** Sends a request once, as the administrator. */
  api(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<ApiAnswer>
  /** Sends a request as the administrator, and repeats it unchanged after 409, 429, 5xx and lost answers. */
  ask(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<ApiAnswer>
  /** Waits until functions, stream and queues are idle. */
  drain(): Promise<void>
  /** Makes every row due that waits for a sweeper and runs the sweepers, until no row of the tenant is left to them. */
  sweep(): Promise<void>
  /** Every item of the tenant. */
  items(): Promise<StoredItem[]>
  /** How many items the last call of `items` found. */
  size(): number
  stop(): Promise<void>
}

const longAgo = '2000-01-01T00:00:00.000Z'
const tries = 8
const drainMs = 40_000
/** In AWS's time an index may still show a row that is done, and a fault takes a round of its own. */
const sweeps = 12

export async function openWorld(environment: Readonly<Record<string, string>> = {}): Promise<World> {
  const service = await startService({ log: () => {}, environment: { SETTLE_MS: '0', ...environment } })
  const scan = scannerOf(service)
  let size = 0
  async function items(): Promise<StoredItem[]> {
    const found = await scan('T#1#')
    size = found.length
    return found
  }
  const api: World['api'] = (method, path, body, headers) =>
    service.api(method, path, { token: service.admin.token, body, headers })
  const drain = () => service.cloud.idle(drainMs)

  const ask: World['ask'] = async (method, path, body, headers) => {
    for (let left = tries; ; left -= 1) {
      const answer = await api(method, path, body, headers).catch(() => undefined)
      if (answer && answer.status < 500 && answer.status !== 409 && answer.status !== 429) return answer
      if (left === 1) throw new Error(`${method} ${path} kept failing: ${JSON.stringify(answer?.body)}`)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  /**
   * Makes every row due now that a sweeper would process later, except files without a claim and what deleted records left,
   * which are kept for days, and mailboxes, which are due forever.
   */
  async function bringForward(): Promise<number> {
    const due = (
      await Promise.all(
        dueKinds
          .filter((kind) => kind !== 'mailboxes')
          .flatMap((kind) => duePartitionsOf[kind].map((pk) => dueRows(kind, slotName(dueSlot), pk))),
      )
    ).flat()
    for (const { key, sort, kind } of due) {
      const [more, values] =
        kind === 'jobs'
          ? [', lease_until = :free', { ':free': 0 }]
          : key.sk.startsWith('Q#T#')
            ? [', due_at = :at', { ':at': longAgo }]
            : ['', {}]
      const change = {
        expression: `SET s20 = :past${more}`,
        values: { ':past': sort.replace(/^[^#]+/, longAgo), ...values },
      }
      try {
        await service.store.write(deploymentWide, { update: key, change, if: { expression: 'attribute_exists(pk)' } })
      } catch (error) {
        // It was processed meanwhile.
        if (!(error instanceof ConditionFailed)) throw error
      }
    }
    return due.length
  }

  async function dueRows(kind: string, index: string, pk: string) {
    const { items: rows } = await service.store.query(deploymentWide, { pk, index })
    return rows
      .map((row) => ({ kind, key: { pk: String(row.pk), sk: String(row.sk) }, sort: String(row.s20) }))
      .filter(({ key, sort }) => parseFileKey(key)?.kind !== 'file' && !isRetained(key, sort))
  }

  /** Whether it waits for the end of the thirty days, and not for links that return. */
  const isRetained = ({ pk }: { readonly pk: string }, sort: string): boolean =>
    pk.includes('#RETAINED#') && Date.parse(dueAtOf(sort)) > Date.now() + 3_600_000

  async function sweep(): Promise<void> {
    // The lease of a job whose runner works would end, which counts as the death of its process.
    await drain()
    for (let rounds = 0; (await bringForward()) > 0; rounds += 1) {
      if (rounds === sweeps) throw new Error(`rows are still due after ${sweeps} sweeps`)
      // A sweep that fails is repeated in the next round.
      await Promise.allSettled([service.cloud.invoke('due-sweeper'), service.cloud.invoke('file-sweeper')])
      await drain()
    }
  }

  return { service, api, ask, drain, sweep, items, size: () => size, stop: () => service.stop() }
}
