import * as z from 'zod'
import { Forbidden } from '../../../kernel/failures/faults.ts'
import { mayOnTable } from '../../../kernel/permissions.ts'
import type { Viewer } from '../../../kernel/principal.ts'
import { publicTable } from '../../../kernel/table-names.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import { type Clock, isoTime } from '../../../kernel/time/clock.ts'
import { defineJob, type JobKind } from '../../../platform/jobs/define-job.ts'
import { type LargeObjects, partBytes } from '../../../platform/objects/large-objects.ts'
import type { ExportedFile } from '../schema.ts'
import { type ExportListDependencies, openExportList, writePieces } from './export-list.ts'
import { XlsxState } from './file-types.ts'

const validSeconds = 3600

const names = z.array(z.string()).nullish()
const Input = z.object({
  model: z.string(),
  format: z.enum(['csv', 'ndjson', 'xlsx']),
  labels: z.boolean().default(false),
  query: z.object({
    filter: z.unknown().optional(),
    search: z.string().nullish(),
    sort: names,
    fields: names,
    expand: names,
  }),
})

/** The cursor of the next part, and the parts uploaded so far. */
const State = z.object({
  cursor: z.string().nullable(),
  key: z.string(),
  uploadId: z.string(),
  parts: z.array(z.object({ number: z.int(), etag: z.string() })),
  records: z.int(),
  size: z.int(),
  /** When the file was begun. */
  beganAt: z.string().optional(),
  file: XlsxState.nullish(),
})
type State = z.output<typeof State>

interface Dependencies extends ExportListDependencies {
  readonly files: LargeObjects
  readonly clock: Pick<Clock, 'now'>
  /** The starter of the job with its current permissions; undefined when that account is disabled. */
  readonly findViewer: (tenant: Tenant, userId: number) => Promise<Viewer | undefined>
}

/**
 * Writes a list into a file in parts of five megabytes, with at most one part in memory. A repeated step uploads its
 * part again under the same number. Each step reads with the starter's current permissions; when row rules changed, the
 * cursor no longer fits and the job fails.
 */
export const exportJob = ({ files, clock, findViewer, ...sources }: Dependencies): JobKind =>
  defineJob<typeof Input, State>(
    'export',
    Input,
    async ({ id, tenant, actor, timeIsUp }, { model, format, labels, query }, saved) => {
      const table = await sources.tables.require(tenant, model)
      const viewer = await findViewer(tenant, actor.userId)
      if (!viewer || !mayOnTable(viewer, model, 'read'))
        throw new Forbidden('forbidden', 'The user who started this export may no longer read the table.')
      const { read, open } = await openExportList(sources, viewer, table, query, { format, labels })
      const beganAt = new Date(saved?.beganAt ?? clock.now())
      const file = open(beganAt, saved?.file)
      const name = `${publicTable(tenant, model)}.${file.extension}`
      let state = saved ?? (await begin())
      for (;;) {
        const part = await nextPart(state)
        const number = state.parts.length + 1
        const put = await files.putPart(state.key, state.uploadId, number, part.body)
        state = {
          ...state,
          cursor: part.cursor,
          parts: [...state.parts, put],
          records: state.records + part.records,
          size: state.size + part.body.byteLength,
          file: file.state(),
        }
        if (part.cursor === null) break
        if (timeIsUp()) return { state, done: state.records }
      }
      await files.complete(state.key, state.uploadId, state.parts)
      const result: ExportedFile = {
        url: await files.downloadUrl(state.key, name, validSeconds),
        expires_at: isoTime(clock.now() + validSeconds * 1000),
        name,
        content_type: file.contentType,
        records: state.records,
        size: state.size,
      }
      return { ended: 'done', done: state.records, total: state.records, result }

      async function begin(): Promise<State> {
        const key = `exports/${tenant.id}/${id}/${name}`
        return {
          cursor: null,
          key,
          uploadId: await files.begin(key, file.contentType),
          parts: [],
          records: 0,
          size: 0,
          beganAt: isoTime(beganAt.getTime()),
        }
      }

      async function nextPart({
        cursor: from,
        parts,
      }: State): Promise<{ body: Uint8Array; cursor: string | null; records: number }> {
        const pieces: Buffer[] = []
        let [bytes, records, cursor] = [0, 0, from]
        const add = (piece: string | Buffer): void => {
          const one = Buffer.from(piece)
          pieces.push(one)
          bytes += one.length
        }
        if (parts.length === 0) add(file.head())
        do {
          const page = await read(cursor)
          for await (const piece of writePieces(file, page.records)) add(piece)
          records += page.records.length
          cursor = page.nextCursor
        } while (cursor !== null && bytes < partBytes)
        if (cursor === null) add(file.tail())
        return { body: Buffer.concat(pieces), cursor, records }
      }
    },
  )
