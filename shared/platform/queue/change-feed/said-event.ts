import type { Item } from '../../store/values/marshal.ts'
import type { ChangeEvent } from './change-event.ts'

/** The table of the column index that holds what was said about records: no table of a company can have the name. */
export const saidModel = '~said'

export type SaidKind = 'comment' | 'message'

/** The place of a comment or a message in it. They have ids of their own: comments get the even places. */
export const saidId = (kind: SaidKind, id: number): number => id * 2 + (kind === 'message' ? 1 : 0)

/** The event that a comment was written, changed, moved or removed, by its row. */
export const commentEvent = (item: Item): ChangeEvent => ({
  v: 1,
  tenant_id: Number(item.tenant_id),
  model: saidModel,
  id: saidId('comment', Number(item.id)),
  version: Number(item.version),
  action: item.removed === true ? 'delete' : 'update',
  actor: Number(item.user_id ?? 0),
  source: null,
  ...(item.removed !== true && {
    said: {
      comment: Number(item.id),
      model: String(item.model),
      record_id: Number(item.record_id),
      is_internal: item.is_internal === true,
    },
  }),
})

/** The event that rules dealt with a message, or that it moved to another record, by its row. */
export const messageEvent = (item: Item): ChangeEvent => ({
  v: 1,
  tenant_id: Number(item.tenant_id),
  model: saidModel,
  id: saidId('message', Number(item.id)),
  version: Number(item.rev),
  action: 'update',
  actor: 0,
  source: null,
  said: { message: Number(item.id) },
})
