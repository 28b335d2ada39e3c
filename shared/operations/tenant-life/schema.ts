import * as z from 'zod'
import { maxTenantSlugCharacters } from '../../kernel/limits/accounts.ts'

export const DeleteTenantBody = z.object({
  slug: z.string().max(maxTenantSlugCharacters).meta({ description: 'The slug of your tenant, to confirm.' }),
})

export const DeleteTenantAnswer = z.object({
  delete_at: z.string().meta({ description: 'When the data is removed. Until then it can be restored.' }),
})

export const RestoreTenantAnswer = z.object({ slug: z.string(), name: z.string() })

export const TenantExportAccepted = z.object({
  job_id: z.int().meta({ description: 'Its progress: `GET /api/sys/jobs/{id}`.' }),
})

/** The `result` of a finished job of the kind `tenant-export`. */
export interface TenantExport {
  readonly url: string
  /** Until when the address works. */
  readonly expires_at: string
  readonly name: string
  readonly content_type: string
  readonly size: number
  /** The number of rows by the name of their files. */
  readonly rows: Readonly<Record<string, number>>
  /** How many uploaded files the archive holds. */
  readonly files: number
}

export const EraseUserAnswer = z.object({
  job_id: z.int().meta({ description: 'Removes the copies. Its progress: `GET /api/sys/jobs/{id}`.' }),
  kept: z.string().meta({ description: 'What is not erased.' }),
})
