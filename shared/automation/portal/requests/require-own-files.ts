import { byName } from '../../../kernel/collections/own-members.ts'
import { type FieldErrors, Invalid, NotFound } from '../../../kernel/failures/faults.ts'
import type { Caller } from '../../../kernel/principal.ts'
import { requireOwnFile } from '../../../tables/files/own-file.ts'
import type { PortalDependencies } from '../dependencies.ts'

/** Throws Invalid for files that somebody else uploaded: only what is one's own may be sent. `at`: the path of its error. */
export async function requireOwnFiles(
  { files }: PortalDependencies,
  caller: Caller,
  given: readonly { readonly at: string; readonly path: string }[],
): Promise<void> {
  const errors: FieldErrors = byName()
  for (const { at, path } of given) {
    try {
      await requireOwnFile(files, caller, path)
    } catch (error) {
      if (error instanceof NotFound) errors[at] = ['This is no file that you uploaded.']
      else if (error instanceof Invalid) errors[at] = Object.values(error.errors).flat()
      else throw error
    }
  }
  if (Object.keys(errors).length > 0) throw new Invalid(errors)
}
