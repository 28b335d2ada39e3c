import type { TestService } from '../../services/service.ts'
import { makeRequests, makeTable } from '../records/tables.ts'

/** Imports rows as the administrator. */
export const importRows = (service: TestService, model: string, rows: object[]) =>
  service.api('POST', `/api/e/${model}/import`, { token: service.admin.token, body: { rows } })

/** Makes 1,200 requests of two clients, and a table of notes. */
export async function makeExportedTables(service: TestService): Promise<void> {
  await makeRequests(service)
  await makeTable(service, 'notes', [
    { name: 'text', type: 'textarea' },
    { name: 'amount', type: 'float' },
    { name: 'place', type: 'point' },
    { name: 'done', type: 'boolean' },
  ])
  await importRows(service, 'clients', [{ name: 'Ann' }, { name: 'Bob' }])
  await importRows(
    service,
    'requests',
    Array.from({ length: 1200 }, (_, n) => ({
      title: `Request ${n}`,
      priority: 1 + (n % 5),
      client_id: 1 + (n % 2),
      source: n % 2 === 0 ? 'mail' : 'phone',
    })),
  )
  await service.cloud.idle()
}

/** Asks for an export; `query` begins with its question mark. */
export const exportOf = (service: TestService, model: string, query = '', token = service.admin.token) =>
  service.api('GET', `/api/e/${model}/export${query}`, { token })
