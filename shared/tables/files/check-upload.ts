import type { TenantRef } from '../../kernel/tenancy.ts'
import { isoTime, type Clock } from '../../kernel/time/clock.ts'
import type { ObjectStorage } from '../../platform/objects/object-storage.ts'
import { fileKey } from '../../platform/store/keys/files.ts'
import type { Store } from '../../platform/store/store.ts'
import { exists } from '../../platform/store/writes/conditions.ts'
import { wasApplied } from '../../platform/store/writes/refusals.ts'
import { fitsType } from './content-type.ts'
import type { StoredFile } from './file-row.ts'

export interface FileDependencies {
  readonly store: Store
  readonly clock: Clock
  /** Opened when the first file needs it. */
  readonly objects: () => Promise<ObjectStorage>
}

/** `missing`: not uploaded. `text`: what is wrong with the content. */
export type UploadProblem = 'missing' | { readonly text: string }

/**
 * Checks the size and the first bytes of an upload. The result is stored, because an uploaded object never changes.
 * Answers undefined when the file is valid.
 */
export async function checkUpload(
  { store, clock, objects }: FileDependencies,
  tenant: TenantRef,
  file: StoredFile,
): Promise<UploadProblem | undefined> {
  if (file.isChecked) return undefined
  const found = await (await objects()).readHead(file.path)
  if (!found) return 'missing'
  if (found.sizeBytes !== file.size)
    return { text: `the file ${file.name} has ${found.sizeBytes} bytes instead of ${file.size}` }
  if (!fitsType(file.contentType, found.head)) return { text: `the content of ${file.name} is not ${file.contentType}` }
  await wasApplied(
    store.write(tenant, {
      update: fileKey(tenant, file.token),
      change: { expression: 'SET checked_at = :now', values: { ':now': isoTime(clock.now()) } },
      if: exists,
    }),
  )
  return undefined
}
