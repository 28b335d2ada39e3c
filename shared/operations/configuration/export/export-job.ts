import * as z from 'zod'
import { Forbidden } from '../../../kernel/failures/faults.ts'
import type { Viewer } from '../../../kernel/principal.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import { type Clock, isoTime } from '../../../kernel/time/clock.ts'
import { withTableNames } from '../../../platform/http/table-names/translate-names.ts'
import { defineJob, type JobKind } from '../../../platform/jobs/define-job.ts'
import { type LargeObjects, partBytes, type UploadedPart } from '../../../platform/objects/large-objects.ts'
import type { ExportedFile } from '../../import-export/schema.ts'
import { ConfigurationDocument } from '../schema.ts'
import type { Author } from '../sections/section.ts'
import { sectionNames, type Sections } from '../sections/sections.ts'

export const exportJobKind = 'configuration-export'

const validSeconds = 3600
const fileName = 'configuration.json'
const contentType = 'application/json'

interface Dependencies {
  readonly sections: Sections
  readonly files: LargeObjects
  readonly clock: Pick<Clock, 'now'>
  /** The starter of the job with its current rights; undefined when that account is disabled. */
  readonly findViewer: (tenant: Tenant, userId: number) => Promise<Viewer | undefined>
}

/**
 * Writes the tenant's configuration into a file, one object a line. It is one step, so that the file shows one moment: a
 * crash begins the file anew. One section at a time is in memory.
 */
export const exportJob = ({ sections, files, clock, findViewer }: Dependencies): JobKind =>
  defineJob(exportJobKind, z.object({}), async ({ id, tenant, actor }) => {
    const viewer = await findViewer(tenant, actor.userId)
    if (!viewer?.isAdministrator)
      throw new Forbidden('forbidden', 'The user who started this export is no administrator any more.')
    const key = `exports/${tenant.id}/${id}/${fileName}`
    const uploadId = await files.begin(key, contentType)
    const parts: UploadedPart[] = []
    let [waiting, waitingBytes, size, records] = [[] as Buffer[], 0, 0, 0]

    async function putPart(): Promise<void> {
      parts.push(await files.putPart(key, uploadId, parts.length + 1, Buffer.concat(waiting)))
      waiting = []
      waitingBytes = 0
    }

    for await (const { text, objects } of documentText(sections, { ...actor, tenant })) {
      const bytes = Buffer.from(text)
      waiting.push(bytes)
      waitingBytes += bytes.byteLength
      size += bytes.byteLength
      records += objects
      if (waitingBytes >= partBytes) await putPart()
    }
    if (waitingBytes > 0) await putPart()
    await files.complete(key, uploadId, parts)
    const result: ExportedFile = {
      url: await files.downloadUrl(key, fileName, validSeconds),
      expires_at: isoTime(clock.now() + validSeconds * 1000),
      name: fileName,
      content_type: contentType,
      records,
      size,
    }
    return { ended: 'done', done: records, total: records, result }
  })

/** The schema of the documents of a section. */
const sectionSchema = (name: keyof ConfigurationDocument): z.ZodType =>
  ConfigurationDocument.shape[name].unwrap().element

/** The document as JSON text in pieces, and how many objects each piece has. */
async function* documentText(
  sections: Sections,
  author: Author,
): AsyncGenerator<{ readonly text: string; readonly objects: 0 | 1 }> {
  let before = '{'
  for (const name of sectionNames(sections)) {
    yield { text: `${before}"${name}":[`, objects: 0 }
    let separator = '\n'
    for (const document of (await sections[name].read(author)).values()) {
      yield {
        text: `${separator}${JSON.stringify(withTableNames(author.tenant, sectionSchema(name), document))}`,
        objects: 1,
      }
      separator = ',\n'
    }
    yield { text: ']', objects: 0 }
    before = ',\n'
  }
  yield { text: '}\n', objects: 0 }
}
