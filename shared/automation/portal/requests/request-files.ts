import type { Caller } from '../../../kernel/principal.ts'
import { commentKey } from '../../../platform/store/keys/comments.ts'
import { readComment } from '../../../records/comments/rows/comment-row.ts'
import { openDownload } from '../../../tables/files/open-download.ts'
import type { Download } from '../../../tables/files/schema.ts'
import { actingFor, type PortalDependencies } from '../dependencies.ts'
import { viewOf } from './conversation.ts'
import { openRequest } from './open-request.ts'
import { visibleFields } from './shown-record.ts'

/**
 * The address of a file that a request shows: of a field that its item shows, or of its conversation. Throws NotFound for
 * every other file.
 */
export async function openRequestFile(
  services: PortalDependencies,
  caller: Caller,
  id: number,
  path: string,
): Promise<Download> {
  const opened = await openRequest(services, caller, id)
  const { request, record, table, item } = opened
  const { store } = services.records
  const { tenant } = caller
  const { model, recordId } = request
  const [shown, view] = await Promise.all([
    visibleFields(services, caller, table, item, record),
    viewOf(services, caller, opened),
  ])
  return openDownload(services.files, actingFor(caller), path, {
    findRecords: (_, of, ids) =>
      Promise.resolve(
        of === model && ids.includes(recordId)
          ? [{ data: Object.fromEntries(shown.map(({ name }) => [name, record.data[name]])) }]
          : [],
      ),
    async mayReadComment(_, holder) {
      if (holder.model !== model) return false
      const key = commentKey(tenant, model, holder.id, { id: holder.commentId, isInternal: false })
      const comment = await store.get(tenant, key)
      const read = comment && readComment(comment)
      return read !== undefined && view.shows(read) && read.attachments.includes(path)
    },
    mayReadMessage: () => Promise.resolve(false),
  })
}
