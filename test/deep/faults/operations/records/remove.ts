import { expect } from 'vitest'
import { setHooks } from '../../../../make/builders/records/hooks.ts'
import { makeTable } from '../../../../make/builders/records/tables.ts'
import { upload } from '../../../../make/builders/records/uploads.ts'
import type { Operation } from '../../enumerate-faults.ts'

/** Deletes a record with a unique value, a file, comments, links, references that are cleared, and an after hook. */
export const remove: Operation = {
  name: 'delete',
  async prepare({ service, ask }, n) {
    const [model, parts, log] = [`devices_${n}`, `parts_${n}`, `notes_${n}`]
    await makeTable(service, log, [{ name: 'what', type: 'text' }])
    await makeTable(service, model, [
      { name: 'name', type: 'text' },
      { name: 'code', type: 'text', unique: true },
      { name: 'photo', type: 'file' },
    ])
    await makeTable(service, parts, [
      { name: 'name', type: 'text' },
      { name: 'device_id', type: 'model_list', target_table: model, on_delete: 'set_null' },
    ])
    await setHooks(service, model, [['after_delete', `$api.create('${log}', { what: $data.name })`]])
    const relation = (await ask('POST', '/api/sys/relations', { name: `uses_${n}`, l_table: model, r_table: parts }))
      .body.data.id
    const { id } = (await ask('POST', `/api/e/${model}`, { name: 'printer', code: 'P', photo: await upload(service) }))
      .body.data
    const partIds: number[] = []
    for (const name of ['drum', 'fuser'])
      partIds.push((await ask('POST', `/api/e/${parts}`, { name, device_id: id })).body.data.id)
    await ask('POST', `/api/sys/add_related_instances/${relation}/l_table/${id}`, { ids: partIds })
    for (const is_internal of [false, true])
      await ask('POST', `/api/e/${model}/${id}/comments`, {
        body: 'Old',
        is_internal,
        attachments: [await upload(service)],
      })
    return {
      models: [model, parts, log],
      async act() {
        const { status } = await ask('DELETE', `/api/e/${model}/${id}`)
        expect([204, 404]).toContain(status)
        return async () => {
          expect((await ask('GET', `/api/e/${model}/${id}`)).status).toBe(404)
          const { data } = (await ask('GET', `/api/e/${parts}`)).body
          expect(data.map((part: any) => [part.version, part.data.device_id ?? null])).toEqual([
            [2, null],
            [2, null],
          ])
          expect((await ask('GET', `/api/e/${log}`)).body.data.map((one: any) => one.data.what)).toContain('printer')
          expect(
            (await ask('GET', `/api/sys/history/${model}/${id}`)).body.data.map(({ action }: any) => action),
          ).toEqual(['delete', 'create'])
        }
      },
      // Links succeed until the delete begins, and are refused from then on.
      interfere: async () =>
        expect([200, 404, 422]).toContain(
          (await ask('POST', `/api/sys/add_related_instances/${relation}/l_table/${id}`, { ids: partIds })).status,
        ),
    }
  },
}
