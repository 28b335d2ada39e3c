import { namesOf } from '../../accounts/people/user.ts'
import { maxPresent } from '../../kernel/limits/comments.ts'
import type { Viewer } from '../../kernel/principal.ts'
import type { Clock } from '../../kernel/time/clock.ts'
import { NotModified, Reply } from '../../platform/http/routing/envelope.ts'
import { presenceKey, presencePartition } from '../../platform/store/keys/comments.ts'
import { keyHash } from '../../platform/store/keys/key.ts'
import type { Store } from '../../platform/store/store.ts'
import type { Item } from '../../platform/store/values/marshal.ts'
import type { createRecordReads } from '../records/read/record-reads.ts'
import type { PresenceAnswer } from './schema.ts'

export interface PresenceDependencies {
  readonly store: Pick<Store, 'getMany' | 'query' | 'write'>
  readonly clock: Pick<Clock, 'now'>
  readonly reads: Pick<ReturnType<typeof createRecordReads>, 'get'>
}

/** The record that somebody looks at. `item`: its row, when it was read with the caller. */
interface Looked {
  readonly model: string
  readonly id: number
  readonly item?: Item | null | undefined
}

/** Who says nothing for so long has gone; clients say it every 25 seconds. */
const presentMs = 60_000
/** The row is of no use afterwards. */
const keptSeconds = 120

interface Present {
  readonly userId: number
  readonly isEditing: boolean
}

/** Who looks at records. A row a person and record, which is overwritten while they look and expires afterwards. */
export function createPresence({ store, clock, reads }: PresenceDependencies) {
  const requireReadable = (viewer: Viewer, { model, id, item }: Looked) => reads.get(viewer, model, id, item)

  async function presentAt(viewer: Viewer, { model, id }: Looked): Promise<readonly Present[]> {
    const pk = presencePartition(viewer.tenant, model, id)
    const { items } = await store.query(viewer.tenant, { pk, limit: maxPresent })
    const since = clock.now() - presentMs
    return items
      .filter((item) => Number(item['seen_ms']) > since)
      .map((item) => ({ userId: Number(item['user_id']), isEditing: item['is_editing'] === true }))
  }

  async function describe(viewer: Viewer, present: readonly Present[]): Promise<PresenceAnswer> {
    const names = await namesOf(
      store,
      viewer.tenant,
      present.map(({ userId }) => userId),
    )
    return {
      present: present.flatMap(({ userId, isEditing }) => {
        const name = names.get(userId)
        return name === undefined ? [] : [{ id: userId, name, is_editing: isEditing }]
      }),
    }
  }

  /**
   * Says that the viewer looks at a record, for a minute, and answers who does. An administrator who acts as somebody else
   * is not shown. Throws NotFound.
   */
  async function enter(viewer: Viewer, record: Looked, isEditing: boolean): Promise<PresenceAnswer> {
    await requireReadable(viewer, record)
    const { tenant, userId, impersonatorId } = viewer
    if (impersonatorId === undefined) {
      const now = clock.now()
      const put = {
        ...presenceKey(tenant, record.model, record.id, userId),
        kind: 'presence',
        v: 1,
        user_id: userId,
        is_editing: isEditing,
        seen_ms: now,
        expires_at: Math.ceil(now / 1000) + keptSeconds,
      }
      // Each person writes a row of their own, of which the latest is right.
      await store.write(tenant, { put })
    }
    return describe(viewer, await presentAt(viewer, record))
  }

  /** The viewer does not look at a record any more. */
  async function leave(viewer: Viewer, record: Looked): Promise<void> {
    await requireReadable(viewer, record)
    if (viewer.impersonatorId !== undefined) return
    await store.write(viewer.tenant, {
      remove: presenceKey(viewer.tenant, record.model, record.id, viewer.userId),
    })
  }

  /** Who looks at a record, with an `ETag`. A request that has it costs one read beside that of the record. Throws NotFound. */
  async function read(
    viewer: Viewer,
    record: Looked,
    ifNoneMatch: string | undefined,
  ): Promise<Reply<PresenceAnswer> | NotModified> {
    await requireReadable(viewer, record)
    const present = await presentAt(viewer, record)
    const said = present.map(({ userId, isEditing }) => `${userId}${isEditing ? 'e' : ''}`).join()
    const etag = `"${keyHash(`${viewer.tenant.id} ${viewer.userId} ${record.model} ${record.id} ${said}`)}"`
    const isSame = ifNoneMatch?.split(',').some((one) => one.trim().replace(/^W\//, '') === etag)
    return isSame ? new NotModified(etag) : new Reply(await describe(viewer, present), { etag })
  }

  return { enter, leave, read }
}
