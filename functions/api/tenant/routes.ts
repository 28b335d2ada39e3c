import * as z from 'zod'
import {
  DeleteTenantAnswer,
  DeleteTenantBody,
  EraseUserAnswer,
  RestoreTenantAnswer,
  TenantExportAccepted,
} from '../../../shared/operations/tenant-life/schema.ts'
import {
  administrator,
  delegatedTokens,
  defineRoute,
  type Route,
} from '../../../shared/platform/http/routing/define-route.ts'
import { IdParam } from '../../../shared/platform/http/routing/input/path-params.ts'

const tag = 'Tenant'
const permission = administrator

export const exportTenant = defineRoute({
  method: 'POST',
  path: '/api/tenant/export',
  tag,
  summary: 'Export everything of the tenant',
  description:
    'A background job writes one ZIP archive: `manifest.json` with counts, users and their preferences, API keys, configuration, records by table, links of relations, processes, history and trail as NDJSON (`records/requests-0001.ndjson`, `-0002`, ...), and the uploaded files under the paths that records name. `checksums-0001.sha256`, ... hold the SHA-256 of all entries (`sha256sum -c`), the manifest that of the checksum files. The `result` of the finished job has an address that works for an hour; the archive is kept for 7 days. It holds no passwords, tokens, hashes or secrets of settings, channels and sources (`********`). What is written while the job runs may be missing. One export at a time (409 `export_running`).',
  permission,
  answer: TenantExportAccepted,
  status: 202,
  alsoFails: [409],
  example: { answer: { job_id: 1 } },
})

export const deleteTenant = defineRoute({
  method: 'DELETE',
  path: '/api/tenant',
  tag,
  summary: 'Delete the tenant',
  description:
    'From now on every request and every sign-in to the tenant answers 403 `tenant_deleted`; people keep signing in to their other tenants. Processes, timers and jobs pause. For 30 days an administrator can sign in and restore everything with `POST /api/tenant/restore`. Then all data is removed for good: records, files, history, accounts of people who belong to no other tenant; slug and e-mail addresses are free again. `slug` confirms (422).',
  permission,
  refusedTo: delegatedTokens,
  body: DeleteTenantBody,
  answer: DeleteTenantAnswer,
  status: 202,
  example: { body: { slug: 'demo' }, answer: { delete_at: '2026-12-20T07:17:00.000Z' } },
})

export const restoreTenant = defineRoute({
  method: 'POST',
  path: '/api/tenant/restore',
  tag,
  summary: 'Restore the deleted tenant',
  description:
    'Within 30 days after the delete. Sign in as an administrator, or use a token from before. Processes, timers and jobs continue. Does nothing when the tenant is not deleted.',
  permission,
  refusedTo: delegatedTokens,
  whenDeleted: true,
  answer: RestoreTenantAnswer,
  example: { answer: { slug: 'demo', name: 'Demo' } },
})

export const eraseUser = defineRoute({
  method: 'POST',
  path: '/api/sys/users/{id}/erase',
  tag: 'Users',
  summary: 'Erase the person behind a user',
  description:
    'The user becomes "Erased user", without address, roles and company, and cannot be changed any more (409 `user_erased`); what the user did stays in records, history and trail under the id. All tokens end at once. The person leaves the tenant, and is removed with the last one: the address is free again. A background job cancels deliveries to the person that wait, takes address and texts out of the others, and removes invitations to the address, notifications, values in the trail, and all stored exports. Records, their history and files keep what people typed, also a name or an address: change it there. Not for yourself (403), nor for the last administrator (409). Can be repeated.',
  permission,
  params: z.object({ id: IdParam }),
  answer: EraseUserAnswer,
  status: 202,
  alsoFails: [409],
  example: {
    params: { id: 2 },
    answer: {
      job_id: 1,
      kept: 'Records, their history, comments and files keep what people typed, and incoming messages keep what came in, with the name, address or chat of their sender. Where somebody wrote the name or the address, change it there. Messages and notifications that others got keep the name for 90 days, logs of scripts for 30.',
    },
  },
})

export const routes: readonly Route[] = [exportTenant, deleteTenant, restoreTenant, eraseUser]
