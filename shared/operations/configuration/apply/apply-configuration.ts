import { Invalid } from '../../../kernel/failures/faults.ts'
import { maxConfigurationBytes } from '../../../kernel/limits/configuration.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import type { Clock } from '../../../kernel/time/clock.ts'
import { Accepted, type Reply, withWarnings } from '../../../platform/http/routing/envelope.ts'
import type { Jobs } from '../../../platform/jobs/service.ts'
import { checkFiles } from '../../../tables/files/check-files.ts'
import type { FileDependencies } from '../../../tables/files/check-upload.ts'
import { describeFile } from '../../../tables/files/describe-file.ts'
import type {
  ConfigurationAccepted,
  ConfigurationBody,
  ConfigurationChanges,
  ConfigurationDocument,
} from '../schema.ts'
import type { Author } from '../sections/section.ts'
import type { Sections } from '../sections/sections.ts'
import { applyJobKind, type ApplyState, beginCheck, jobListedBytes } from './apply-job.ts'
import { applyObjects, type ApplyPlace, firstToApply } from './apply-objects.ts'
import { checkObjects, firstObject } from './check-objects.ts'
import { findDangling } from './find-dangling.ts'
import { type DocumentObjects, keepDocument } from './kept-document.ts'
import { answerChanges, type ChangeList, listChanges, listWarnings, noChanges } from './list-changes.ts'

export interface ApplyDependencies {
  readonly sections: Sections
  readonly files: FileDependencies
  readonly jobs: Pick<Jobs, 'start'>
  readonly objects: Pick<DocumentObjects, 'putObject'>
  readonly clock: Pick<Clock, 'uuid'>
  readonly findTenant: (id: number) => Promise<Tenant | undefined>
}

/** So that the answer stays far below 4 MB, whatever the differences are. */
const listedBytes = 2 * 1024 * 1024

/**
 * Creates and changes configuration as the document says; what it does not name stays unchanged. Idempotent. Everything
 * is checked before the first write; throws Invalid naming every path. What names nothing yet, and what the document leaves
 * dangling, are warnings. With `dry_run` nothing is written. A document in
 * a file is applied by a job, as is what a request has no time for.
 */
export async function applyConfiguration(
  services: ApplyDependencies,
  author: Author,
  { dry_run: isDryRun = false, file, ...document }: ConfigurationBody,
  timeIsUp: () => boolean,
): Promise<Reply<ConfigurationChanges> | Accepted> {
  if (file !== undefined) {
    await requireFile(services.files, author.tenant, file, document)
    return accepted(await services.jobs.start(author.tenant, author, applyJobKind, { file, dry_run: isDryRun }))
  }
  const found = await checkObjects(services.sections, author, document, firstObject, timeIsUp)
  if (Object.keys(found.errors).length > 0) throw new Invalid(found.errors)
  const changesIn = (bytes: number): ChangeList => listChanges(noChanges, found.changes, bytes)
  if (found.next) return continueInBackground(services, author, document, isDryRun)
  const warnings = [...found.warnings, ...(await findDangling(services.sections, author, document, timeIsUp))]
  const answer = (): Reply<ConfigurationChanges> => withWarnings(answerChanges(changesIn(listedBytes)), warnings)
  if (isDryRun) return answer()
  const { next } = await applyObjects(services, author, document, firstToApply, timeIsUp)
  if (!next) return answer()
  const changes = { ...changesIn(jobListedBytes), warnings: listWarnings([], warnings) }
  return continueInBackground(services, author, document, isDryRun, { next, changes })
}

/** Throws Invalid unless this is an uploaded file of the tenant, and nothing else is given. */
async function requireFile(
  files: FileDependencies,
  tenant: Tenant,
  path: string,
  document: ConfigurationDocument,
): Promise<void> {
  const others = Object.keys(document)
  if (others.length > 0)
    throw new Invalid({ file: [`The file holds the whole document: leave out ${others.join(', ')}.`] })
  const field = { name: 'file', type: 'file' } as const
  const errors = await checkFiles(files, tenant, { fieldsByName: new Map([['file', field]]) }, { file: path }, ['file'])
  if (Object.keys(errors).length > 0) throw new Invalid(errors)
  const found = await describeFile(files.store, tenant, path)
  if ((found?.size ?? 0) > maxConfigurationBytes)
    throw new Invalid({ file: ['The file is larger than 32 MB: split the document, by its sections or its tables.'] })
}

/** Lets a job do the rest. `begun`: how far it was applied; without it the job checks everything again. */
async function continueInBackground(
  { jobs, objects, clock }: ApplyDependencies,
  author: Author,
  document: ConfigurationDocument,
  isDryRun: boolean,
  begun?: { readonly next: ApplyPlace; readonly changes: ChangeList },
): Promise<Accepted> {
  const object = await keepDocument(objects, author.tenant, clock.uuid(), document)
  const state: ApplyState = begun
    ? { phase: 'apply', object, ...begun.next, changes: begun.changes }
    : beginCheck(object)
  return accepted(await jobs.start(author.tenant, author, applyJobKind, { file: null, dry_run: isDryRun }, { state }))
}

const accepted = (jobId: number): Accepted => new Accepted({ job_id: jobId } satisfies ConfigurationAccepted)
