import * as z from 'zod'
import { isoTime, type Clock } from '../clock.ts'
import { partBytes, type LargeObjects } from '../files/large-object.ts'
import { defineJob, type JobKind } from '../jobs/define-job.ts'
import { recordLines } from './record-lines.ts'
import type { ExportedFile } from './schema.ts'
import { openSource, type SourceDependencies } from './source.ts'

const validSeconds = 3600

const names = z.array(z.string()).nullish()
const Input = z.object({
  model: z.string(),
  format: z.enum(['csv', 'ndjson']),
  query: z.object({ filter: z.unknown().optional(), search: z.string().nullish(), sort: names, fields: names, expand: names }),
  reader: z.object({ userId: z.int(), orgUnitIds: z.array(z.int()), readable: z.array(z.string()) }),
})

/** Where the next part begins, and the parts there are. */
const State = z.object({
  cursor: z.string().nullable(),
  key: z.string(),
  uploadId: z.string(),
  parts: z.array(z.object({ number: z.int(), etag: z.string() })),
  records: z.int(),
  size: z.int(),
})
type State = z.output<typeof State>

interface Dependencies extends SourceDependencies {
  readonly files: LargeObjects
  readonly clock: Pick<Clock, 'now'>
}

/**
 * Writes a list into a file, five megabytes at a time; no more of it is ever held in memory. A step that breaks off begins
 * its part again, under the same number.
 */
export const exportJob = ({ files, clock, ...sources }: Dependencies): JobKind =>
  defineJob<typeof Input, State>('export', Input, async ({ id, tenant, timeIsUp }, { model, format, query, reader }, saved) => {
    const table = await sources.tables.need(tenant, model)
    const read = await openSource(sources, tenant, table, reader, query)
    const writer = recordLines(format, table, query.fields)
    const name = `${model}.${writer.extension}`
    let state = saved ?? (await begin())
    for (;;) {
      const part = await nextPart(state)
      const number = state.parts.length + 1
      const put = await files.putPart(state.key, state.uploadId, number, part.body)
      state = { ...state, cursor: part.cursor, parts: [...state.parts, put], records: state.records + part.records, size: state.size + part.body.byteLength }
      if (part.cursor === null) break
      if (timeIsUp()) return { state, done: state.records }
    }
    await files.complete(state.key, state.uploadId, state.parts)
    const result: ExportedFile = {
      url: await files.downloadUrl(state.key, name, validSeconds),
      expires_at: isoTime(clock.now() + validSeconds * 1000),
      name,
      content_type: writer.contentType,
      records: state.records,
      size: state.size,
    }
    return { ended: 'done', done: state.records, total: state.records, result }

    async function begin(): Promise<State> {
      const key = `exports/${tenant.id}/${id}/${name}`
      return { cursor: null, key, uploadId: await files.begin(key, writer.contentType), parts: [], records: 0, size: 0 }
    }

    async function nextPart({ cursor: from, parts }: State): Promise<{ body: Uint8Array; cursor: string | null; records: number }> {
      const texts = parts.length === 0 ? [writer.head] : []
      let [bytes, records, cursor] = [0, 0, from]
      do {
        const page = await read(cursor, true)
        const text = writer.lines(page.records)
        texts.push(text)
        bytes += Buffer.byteLength(text)
        records += page.records.length
        cursor = page.nextCursor
      } while (cursor !== null && bytes < partBytes)
      return { body: Buffer.from(texts.join('')), cursor, records }
    }
  })
