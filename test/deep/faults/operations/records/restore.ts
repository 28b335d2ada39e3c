import { expect } from 'vitest'
import { makeTable } from '../../../../make/builders/records/tables.ts'
import { upload } from '../../../../make/builders/records/uploads.ts'
import type { Operation } from '../../enumerate-faults.ts'

/** Restores a deleted record under its old id, with its unique value and its file, its comments and more links than a transaction returns. */
export const restore: Operation = {
  name: 'restore',
  async prepare({ service, ask }, n) {
    const model = `tickets_${n}`
    await makeTable(service, model, [
      { name: 'title', type: 'text' },
      { name: 'code', type: 'text', unique: true },
      { name: 'photo', type: 'file' },
      { name: 'urgent', type: 'boolean' },
    ])
    const parts = `parts_of_tickets_${n}`
    await makeTable(service, parts, [{ name: 'name', type: 'text' }])
    const relation = (await ask('POST', '/api/sys/relations', { name: `has_${n}`, l_table: model, r_table: parts }))
      .body.data.id
    const rows = Array.from({ length: 25 }, (_, at) => ({ name: `part ${at}` }))
    const partIds = (await ask('POST', `/api/e/${parts}/import`, { rows })).body.data.ids as number[]
    const body = { title: 'printer jammed', code: 'A', photo: await upload(service), urgent: true }
    const made = (await ask('POST', `/api/e/${model}`, body)).body.data
    const address = `/api/e/${model}/${made.id}`
    await ask('POST', `/api/sys/add_related_instances/${relation}/l_table/${made.id}`, { ids: partIds })
    await ask('POST', `${address}/comments`, { body: 'Stays', attachments: [await upload(service)] })
    // The state before the delete needs a timestamp of its own.
    await new Promise((resolve) => setTimeout(resolve, 2))
    await ask('DELETE', address)
    let taken = false
    return {
      models: [model, parts],
      async act() {
        const { status } = await ask('POST', `${address}/restore`, { as_of: made.updated_at })
        return async () => {
          if (taken && status === 422) return expect((await ask('GET', address)).status).toBe(404)
          expect(status).toBe(200)
          expect((await ask('GET', address)).body.data).toMatchObject({ id: made.id, version: 3, data: body })
          expect((await ask('GET', `${address}/comments`)).body.data).toMatchObject([{ body: 'Stays' }])
          expect((await ask('GET', `/api/sys/related_instances/${relation}/${model}/${made.id}`)).body.meta.total).toBe(
            25,
          )
        }
      },
      // Another record takes the unique value, if it is still free.
      async interfere() {
        if ((await ask('POST', `/api/e/${model}`, { code: 'A' })).status === 201) taken = true
      },
    }
  },
}
