import { expect } from 'vitest'
import { makeTable } from '../../../../make/builders/records/tables.ts'
import type { Operation } from '../../enumerate-faults.ts'

/** Links more records than a transaction holds, then unlinks some of them. */
export const relate: Operation = {
  name: 'add and unlink of a relation',
  async prepare({ service, ask }, n) {
    const [tickets, devices] = [`tickets_${n}`, `devices_${n}`]
    for (const name of [tickets, devices]) await makeTable(service, name, [{ name: 'name', type: 'text' }])
    const relation = (
      await ask('POST', '/api/sys/relations', { name: `uses_${n}`, l_table: tickets, r_table: devices })
    ).body.data.id
    const { id } = (await ask('POST', `/api/e/${tickets}`, { name: 'one' })).body.data
    const ids = (
      await ask('POST', `/api/e/${devices}/import`, {
        rows: Array.from({ length: 35 }, (_, at) => ({ name: `device ${at}` })),
      })
    ).body.data.ids as number[]
    const gone = new Set<number>()
    return {
      models: [tickets, devices],
      async act() {
        const added = await ask('POST', `/api/sys/add_related_instances/${relation}/l_table/${id}`, { ids })
        // A record that was deleted meanwhile is left out of the repeat.
        if (added.status === 422)
          expect(
            (
              await ask('POST', `/api/sys/add_related_instances/${relation}/l_table/${id}`, {
                ids: ids.filter((one) => !gone.has(one)),
              })
            ).status,
          ).toBe(200)
        const unlinked = await ask('POST', `/api/sys/relations/unlink/${relation}/r_table/${id}`, {
          ids: ids.slice(0, 10),
        })
        expect(unlinked.status).toBe(200)
        return async () => {
          const { data } = (await ask('GET', `/api/sys/related_instances/${relation}/${tickets}/${id}?per_page=100`))
            .body
          expect(data.map((one: any) => one.id).sort()).toEqual(
            ids
              .slice(10)
              .filter((one) => !gone.has(one))
              .sort(),
          )
        }
      },
      async interfere() {
        const [last = 0] = ids.slice(-1)
        gone.add(last)
        await ask('DELETE', `/api/e/${devices}/${last}`)
      },
    }
  },
}
