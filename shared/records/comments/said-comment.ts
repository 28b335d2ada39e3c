import { notSaidRow, saidRow, type SaidRow } from '../../lists/columns/said-row.ts'
import type { Item } from '../../platform/store/values/marshal.ts'
import { readComment } from './rows/comment-row.ts'

/** What the index of what was said holds of a comment. One that moved meanwhile has an event of its own. */
export function saidComment(
  item: Item | undefined,
  change: { readonly id: number; readonly version: number },
): SaidRow {
  if (!item) return notSaidRow('comment', change.id, change.version)
  const { id, model, recordId, isInternal, from, body, version } = readComment(item)
  return saidRow({
    kind: 'comment',
    id,
    version,
    about: [{ model, id: recordId }],
    isInternal,
    who: [from?.name, from?.email],
    text: body,
  })
}
