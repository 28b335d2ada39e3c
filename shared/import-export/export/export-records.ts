import { addSizes, isTooLarge, noSize, sizeOfText } from '../../http/routing/answer-size.ts'
import { Accepted, Reply } from '../../http/routing/envelope.ts'
import type { Jobs } from '../../jobs/service.ts'
import type { Caller } from '../../kernel/principal.ts'
import type { RawQuery } from '../../query/schema.ts'
import { readFilter } from '../../records/service.ts'
import type { ExportQuery } from '../schema.ts'
import { openExportList, type ExportPage, type ExportListDependencies } from './export-list.ts'
import { recordLines } from './record-lines.ts'

export interface ExportDependencies extends ExportListDependencies {
  readonly jobs: Pick<Jobs, 'start'>
}

/**
 * Answers the whole list as a file. A job writes files larger than 4 MB, and slow ones.
 */
export async function exportRecords(
  deps: ExportDependencies,
  caller: Caller,
  model: string,
  { format, ...parameters }: ExportQuery,
  timeIsUp: () => boolean,
): Promise<Reply<string> | Accepted> {
  const table = await deps.tables.require(caller.tenant, model)
  const query: RawQuery = { ...parameters, filter: readFilter(parameters.filter) }
  const { read, readable } = await openExportList(deps, caller, table, query)
  const writer = recordLines(format, table, query.fields, readable)
  const parts = [writer.head]
  let size = noSize
  let cursor: string | null = null
  do {
    const page: ExportPage = await read(cursor)
    const text = writer.lines(page.records)
    size = addSizes(size, sizeOfText(text))
    if (isTooLarge(size) || (page.nextCursor !== null && timeIsUp())) {
      return new Accepted({
        job_id: await deps.jobs.start(caller.tenant, caller, 'export', { model, format, query }),
      })
    }
    parts.push(text)
    cursor = page.nextCursor
  } while (cursor !== null)
  return new Reply(parts.join(''), {
    'content-type': writer.contentType,
    'content-disposition': `attachment; filename="${model}.${writer.extension}"`,
  })
}
