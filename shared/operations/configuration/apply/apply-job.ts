import * as z from 'zod'
import { type FieldErrors, Forbidden, Invalid } from '../../../kernel/failures/faults.ts'
import { messageOf } from '../../../kernel/failures/sentence.ts'
import type { Viewer } from '../../../kernel/principal.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import { withStoredNames } from '../../../platform/http/table-names/translate-names.ts'
import { defineJob, type JobKind, type JobRun, type JobStep } from '../../../platform/jobs/define-job.ts'
import type { JobError } from '../../../platform/jobs/schema.ts'
import { ConfigurationDocument } from '../schema.ts'
import type { Author } from '../sections/section.ts'
import { countObjects, type Sections } from '../sections/sections.ts'
import { applyObjects, firstToApply } from './apply-objects.ts'
import { checkObjects, firstObject } from './check-objects.ts'
import { findDangling } from './find-dangling.ts'
import { type DocumentObjects, fetchDocument, keepDocument, readDocument } from './kept-document.ts'
import { answerChanges, ChangeList, listChanges, listWarnings, noChanges } from './list-changes.ts'

export const applyJobKind = 'configuration-apply'

/** `file`: the path of an upload. A job that continues a request has its document in its first state. */
const Input = z.object({ file: z.string().nullable(), dry_run: z.boolean() })

const CheckState = z.object({
  phase: z.literal('check'),
  object: z.string(),
  section: z.int(),
  index: z.int(),
  changes: ChangeList,
  /** An error was found: the rest is checked only to find others. */
  isRefused: z.boolean(),
})
const ApplyState = z.object({
  phase: z.literal('apply'),
  object: z.string(),
  section: z.int(),
  index: z.int(),
  pass: z.enum(['create', 'change']),
  changes: ChangeList,
})
const State = z.discriminatedUnion('phase', [CheckState, ApplyState])
export type ApplyState = z.output<typeof State>

/** What the row of a job has room for, beside its errors. */
export const jobListedBytes = 160 * 1024

interface Dependencies {
  readonly sections: Sections
  readonly objects: DocumentObjects
  readonly findTenant: (id: number) => Promise<Tenant | undefined>
  /** The starter of the job with its current rights; undefined when that account is disabled. */
  readonly findViewer: (tenant: Tenant, userId: number) => Promise<Viewer | undefined>
}

/**
 * Applies a configuration that is too large for one request, in three passes over its objects: all are checked, then
 * missing ones are created, then differing ones are changed. A document with any error changes nothing, and every
 * error is one of the job. Steps can be repeated.
 */
export const applyJob = (services: Dependencies): JobKind =>
  defineJob<typeof Input, ApplyState>(applyJobKind, Input, async (run, input, saved) => {
    const viewer = await services.findViewer(run.tenant, run.actor.userId)
    if (!viewer?.isAdministrator)
      throw new Forbidden('forbidden', 'The user who started this is no administrator any more.')
    if (!saved) return begin(services, run, input)
    const state = State.parse(saved)
    const document = await fetchDocument(services.objects, state.object)
    const author: Author = { ...run.actor, tenant: run.tenant }
    const total = totalOf(document, input)
    return state.phase === 'check'
      ? check(services, run, input, { author, document, total }, state)
      : apply(services, run, { author, document, total }, state)
  })

interface Work {
  readonly author: Author
  readonly document: ConfigurationDocument
  readonly total: number
}

const totalOf = (document: ConfigurationDocument, { dry_run: isDryRun }: z.output<typeof Input>): number =>
  countObjects(document) * (isDryRun ? 1 : 3)

async function begin(
  { objects }: Dependencies,
  { id, tenant }: JobRun,
  input: z.output<typeof Input>,
): Promise<JobStep<ApplyState>> {
  if (input.file === null) throw new Error('a job without a file begins with a state')
  const bytes = await objects.fetchObject(input.file)
  let document: ConfigurationDocument
  try {
    document = withStoredNames(tenant, ConfigurationDocument, readDocument(bytes))
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    return { ended: 'failed', errors: errorsOf(error.problems) }
  }
  const object = await keepDocument(objects, tenant, String(id), document)
  return { state: beginCheck(object), total: totalOf(document, input) }
}

export const beginCheck = (object: string): ApplyState => ({
  phase: 'check',
  object,
  ...firstObject,
  changes: noChanges,
  isRefused: false,
})

async function check(
  { sections }: Dependencies,
  { timeIsUp }: JobRun,
  { dry_run: isDryRun }: z.output<typeof Input>,
  { author, document, total }: Work,
  state: z.output<typeof CheckState>,
): Promise<JobStep<ApplyState>> {
  const { object } = state
  const found = await checkObjects(sections, author, document, state, timeIsUp)
  const errors = errorsOf(found.errors)
  const progress = { worked: found.checked, total, errors }
  const isRefused = state.isRefused || errors.length > 0
  const dangling = found.next || isRefused ? [] : await findDangling(sections, author, document, timeIsUp)
  const changes = isRefused
    ? noChanges
    : {
        ...listChanges(state.changes, found.changes, jobListedBytes),
        warnings: listWarnings(state.changes.warnings, [...found.warnings, ...dangling]),
      }
  if (found.next) return { ...progress, state: { ...state, ...found.next, changes, isRefused } }
  if (isRefused) return { ...progress, ended: 'failed' }
  if (isDryRun) return { ...progress, ended: 'done', result: resultOf(changes) }
  return { ...progress, state: { phase: 'apply', object, ...firstToApply, changes } }
}

async function apply(
  services: Dependencies,
  { timeIsUp }: JobRun,
  { author, document, total }: Work,
  state: z.output<typeof ApplyState>,
): Promise<JobStep<ApplyState>> {
  const { worked, next } = await applyObjects(services, author, document, state, timeIsUp)
  if (next) return { worked, total, state: { ...state, ...next } }
  return { ended: 'done', done: total, total, result: resultOf(state.changes) }
}

/** A job has no envelope: its warnings stand in its result. */
const resultOf = (changes: ChangeList) => ({
  ...answerChanges(changes),
  ...(changes.warnings?.length && { warnings: changes.warnings }),
})

const errorsOf = (errors: FieldErrors): JobError[] =>
  Object.entries(errors).flatMap(([path, messages]) =>
    messages.map((message) => ({ path, message: messageOf(message) })),
  )
