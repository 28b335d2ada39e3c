import type { ApiCall, TestService } from '../../services/service.ts'
import { makeTable } from './tables.ts'

/** The requests of stories about relations and links. */
export function relationRequests(api: ApiCall) {
  const create = async (model: string, name: string) =>
    (await api('POST', `/api/e/${model}`, { name })).body.data.id as number
  const relate = async (name: string, l_table: string, r_table: string) =>
    (await api('POST', '/api/sys/relations', { name, l_table, r_table })).body.data.id as number
  const add = (relation: number, position: string, id: number, ids: unknown, token?: string) =>
    api('POST', `/api/sys/add_related_instances/${relation}/${position}/${id}`, { ids }, token)
  const unlink = (relation: number, position: string, id: number, body?: unknown, token?: string) =>
    api('POST', `/api/sys/relations/unlink/${relation}/${position}/${id}`, body, token)
  const related = async (relation: number, table: string, id: number, query = '') =>
    (await api('GET', `/api/sys/related_instances/${relation}/${table}/${id}${query}`)).body.data.map(
      (record: { id: number }) => record.id,
    )

  /** Makes tickets, devices and people: a ticket uses devices, and a device has parts. */
  async function makeDevices(service: TestService): Promise<{ uses: number; parts: number }> {
    for (const name of ['tickets', 'devices', 'people'])
      await makeTable(service, name, [{ name: 'name', type: 'text' }])
    return {
      uses: await relate('devices of a ticket', 'tickets', 'devices'),
      parts: await relate('parts', 'devices', 'devices'),
    }
  }

  return { create, relate, add, unlink, related, makeDevices }
}
