import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { parseFileKey } from '../../shared/store/keys/files.ts'
import { dueKinds } from '../../shared/store/oldest-due.ts'
import { ConditionFailed } from '../../shared/store/refusals.ts'
import { dueSlot, slotName } from '../../shared/store/slots.ts'
import { deploymentWide } from '../../shared/store/table.ts'
import type { ApiAnswer, TestService } from '../make/services/service.ts'
import { startService } from '../make/services/service.ts'
import { scanner, type StoredItem } from '../make/services/single-table.ts'

/** A service with what an enumeration needs around it. */
export interface World {
  readonly service: TestService
  /** As the administrator; sent once. */
  api(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<ApiAnswer>
  /** The same as a patient client sends it: again, word for word, for as long as the service or the network is to blame. */
  ask(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<ApiAnswer>
  /** Waits until functions, stream and queues rest. */
  drain(): Promise<void>
  /** Lets time pass for whatever waits for a sweeper, and the sweepers run, until nothing of the tenant is due. */
  sweep(): Promise<void>
  items(): Promise<StoredItem[]>
  /** How many items there were when they were last looked at. */
  size(): number
  stop(): Promise<void>
}

const tenant = { id: 1 }
const longAgo = '2000-01-01T00:00:00.000Z'
const tries = 8
const drainMs = 40_000

export async function openWorld(environment: Readonly<Record<string, string>> = {}): Promise<World> {
  const service = await startService({ log: () => {}, environment: { SETTLE_MS: '0', ...environment } })
  const client = new DynamoDBClient({ maxAttempts: 1, ...service.cloud.clientOptions('dynamodb') })
  const scan = scanner(client, service.cloud.tables[0] as string)
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

  /** Whatever a sweeper would look at some time, but files that nobody claims: these have a day, or thirty. */
  async function bringForward(): Promise<number> {
    const due = (
      await Promise.all(
        dueKinds.flatMap(({ kind, partitions }) => partitions.map((pk) => dueRows(kind, slotName(dueSlot), pk))),
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
        await service.store.write(tenant, { update: key, change, if: { expression: 'attribute_exists(pk)' } })
      } catch (error) {
        // Done in this very moment.
        if (!(error instanceof ConditionFailed)) throw error
      }
    }
    return due.length
  }

  async function dueRows(kind: string, index: string, pk: string) {
    const { items: rows } = await service.store.query(deploymentWide, { pk, index })
    return rows
      .map((row) => ({ kind, key: { pk: String(row.pk), sk: String(row.sk) }, sort: String(row.s20) }))
      .filter(({ key }) => parseFileKey(key)?.kind !== 'file')
  }

  async function sweep(): Promise<void> {
    for (let rounds = 0; (await bringForward()) > 0; rounds += 1) {
      if (rounds === 6) throw new Error('something stays due for ever')
      // One that is cut off comes again a minute later.
      await Promise.allSettled([service.cloud.invoke('due-sweeper'), service.cloud.invoke('file-sweeper')])
      await drain()
    }
  }

  return { service, api, ask, drain, sweep, items, size: () => size, stop: () => service.stop() }
}
