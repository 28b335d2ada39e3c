import { isTooLarge, sizeOfText } from '../../../platform/http/routing/answer-size.ts'
import { Accepted } from '../../../platform/http/routing/envelope.ts'
import type { Jobs } from '../../../platform/jobs/service.ts'
import type { ConfigurationAccepted, ConfigurationDocument } from '../schema.ts'
import type { Author } from '../sections/section.ts'
import { sectionNames, type Sections } from '../sections/sections.ts'
import { exportJobKind } from './export-job.ts'

interface Dependencies {
  readonly sections: Sections
  readonly jobs: Pick<Jobs, 'start'>
}

/** Answers the tenant's configuration as one document. A job writes it into a file if it is over 4 MB, or wanted so. */
export async function exportConfiguration(
  { sections, jobs }: Dependencies,
  author: Author,
  wantsFile: boolean,
): Promise<ConfigurationDocument | Accepted> {
  if (!wantsFile) {
    const document = await readConfiguration(sections, author)
    if (!isTooLarge(sizeOfText(JSON.stringify(document)))) return document
  }
  const jobId = await jobs.start(author.tenant, author, exportJobKind, {})
  return new Accepted({ job_id: jobId } satisfies ConfigurationAccepted)
}

/** Reads the tenant's whole configuration as one document. */
async function readConfiguration(sections: Sections, author: Author): Promise<ConfigurationDocument> {
  const entries = await Promise.all(
    sectionNames(sections).map(async (name) => [name, [...(await sections[name].read(author)).values()]] as const),
  )
  return Object.fromEntries(entries) as ConfigurationDocument
}
