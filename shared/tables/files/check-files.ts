import { byName } from '../../kernel/collections/own-members.ts'
import type { FieldErrors } from '../../kernel/failures/faults.ts'
import { type Problem, say } from '../../kernel/failures/sentence.ts'
import { maxFilesPerCheck } from '../../kernel/limits/records.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import { fileKey } from '../../platform/store/keys/files.ts'
import { typeOfField } from '../field-types/read-field.ts'
import type { Field } from '../tables/schema.ts'
import { checkUpload, type FileDependencies } from './check-upload.ts'
import { pathsIn } from './claims.ts'
import { isImageType } from './content-type.ts'
import { readFileAt, type StoredFile, tokenOfPath } from './file-row.ts'

/** The part of a field, or of a member of a comment, that the check depends on. */
type CheckedField = Pick<Field, 'name' | 'type'>

/**
 * Checks that the paths in the named fields are uploaded files of this tenant, with the announced size and type.
 * Answers an error for each field where one is not. Reads nothing when none of the fields holds a file.
 */
export async function checkFiles(
  services: FileDependencies,
  tenant: TenantRef,
  table: { readonly fieldsByName: ReadonlyMap<string, CheckedField> },
  data: Readonly<Record<string, unknown>>,
  fields: readonly string[],
): Promise<FieldErrors> {
  const used = fields.flatMap((name) => {
    const field = table.fieldsByName.get(name)
    return field && typeOfField(field).files
      ? pathsIn(data[name]).map((path) => ({ field, path, token: tokenOfPath(tenant, path) }))
      : []
  })
  if (used.length === 0) return {}
  if (used.length > maxFilesPerCheck)
    return {
      [(used.at(-1) as { field: CheckedField }).field.name]: [`At most ${maxFilesPerCheck} files may be set at once.`],
    }
  const known = used.filter(({ token }) => token !== undefined)
  const rows = await services.store.getMany(
    tenant,
    known.map(({ token }) => fileKey(tenant, token as string)),
  )
  const files = new Map(known.map(({ path }, index) => [path, readFileAt(rows[index], path)]))
  const problems = new Map(
    await Promise.all(
      [...files].map(
        async ([path, file]) =>
          [
            path,
            file && (file.isBeingRemoved ? ('missing' as const) : await checkUpload(services, tenant, file)),
          ] as const,
      ),
    ),
  )

  const errors: FieldErrors = byName()
  for (const { field, path } of used) {
    const problem = files.get(path) ? problems.get(path) : 'missing'
    const message = messageFor(field, path, files.get(path), problem)
    if (message) errors[field.name] = [...(errors[field.name] ?? []), message]
  }
  return errors
}

function messageFor(
  field: CheckedField,
  path: string,
  file: StoredFile | undefined,
  problem: Awaited<ReturnType<typeof checkUpload>>,
): Problem | undefined {
  const { name } = field
  if (!file || problem === 'missing') return say('no_such_file', { field: name, path })
  if (problem) return say('unfit_file', { field: name, problem: problem.text })
  return typeOfField(field).files === 'images' && !isImageType(file.contentType)
    ? say('not_image', { field: name })
    : undefined
}
