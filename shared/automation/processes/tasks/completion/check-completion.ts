import { byName } from '../../../../kernel/collections/own-members.ts'
import { type FieldErrors, Invalid } from '../../../../kernel/failures/faults.ts'
import { type Problem, say } from '../../../../kernel/failures/sentence.ts'
import { maxVariableBytes } from '../../../../kernel/limits/processes.ts'
import type { Tenant } from '../../../../kernel/tenancy.ts'
import { userKey } from '../../../../platform/store/keys/auth.ts'
import type { Store } from '../../../../platform/store/store.ts'
import type { Task } from '../../rows/task-row.ts'
import type { CompleteBody } from '../../schema.ts'
import { checkForm } from '../check-form.ts'

/** The body of a completion, checked. */
export interface CheckedCompletion {
  readonly outcome: string | null
  readonly fields: Readonly<Record<string, unknown>>
  readonly variables: Readonly<Record<string, unknown>>
}

/**
 * Checks outcome and form data. `isComplete`: nothing that is required may be missing. Throws Invalid with all errors.
 */
export async function checkCompletion(
  store: Pick<Store, 'getMany'>,
  tenant: Tenant,
  { form: asked, outcomes }: Pick<Task, 'form' | 'outcomes'>,
  body: CompleteBody,
  { isComplete }: { readonly isComplete: boolean },
): Promise<CheckedCompletion> {
  const form = isComplete ? asked : asked.map((field) => ({ ...field, isRequired: false }))
  const outcome = body?.outcome ?? null
  const { fields, variables, errors: formErrors } = checkForm(form, body?.data ?? {})
  const errors: FieldErrors = Object.assign(byName<Problem[]>(), formErrors)
  if (outcomes.length > 0 && outcome === null && isComplete) errors.outcome = [say('required', { field: 'outcome' })]
  else if (outcomes.length > 0 && outcome !== null && !outcomes.includes(outcome))
    errors.outcome = [say('not_one_of', { field: 'outcome', allowed: outcomes })]
  if (Buffer.byteLength(JSON.stringify(variables)) > maxVariableBytes)
    errors.data = [say('values_too_large', { field: 'data', kilobytes: 64 })]
  // Users in fields of the record are checked with the record.
  const users = form.flatMap(({ name, type }) =>
    type === 'user' && typeof variables[name] === 'number' ? [{ name, id: variables[name] }] : [],
  )
  const found =
    users.length === 0
      ? []
      : await store.getMany(
          tenant,
          users.map(({ id }) => userKey(tenant, id)),
          ['pk', 'sk'],
        )
  for (const [index, { name }] of users.entries())
    if (!found[index]) errors[`data.${name}`] = [say('not_selectable', { field: name })]
  if (Object.keys(errors).length > 0) throw new Invalid(errors)
  return { outcome, fields, variables }
}
