import { expect } from 'vitest'
import { setHooks } from '../../../../make/builders/records/hooks.ts'
import { makeTable } from '../../../../make/builders/records/tables.ts'
import { upload } from '../../../../make/builders/records/uploads.ts'
import type { Operation } from '../../enumerate-faults.ts'

/** Creates a record with a unique value, a file, before and after hooks, and an Idempotency-Key. */
export const create: Operation = {
  name: 'create',
  async prepare({ service, ask }, n) {
    const [model, log] = [`tickets_${n}`, `notes_${n}`]
    await makeTable(service, log, [{ name: 'what', type: 'text' }])
    await makeTable(service, model, [
      { name: 'title', type: 'text' },
      { name: 'code', type: 'text', unique: true },
      { name: 'priority', type: 'integer', min: 1, max: 5 },
      { name: 'photo', type: 'file' },
    ])
    await setHooks(service, model, [
      ['before_create', "$data.title = $data.title + ' checked'"],
      ['after_create', `$api.create('${log}', { what: $data.title })`],
    ])
    await ask('POST', `/api/e/${model}`, { title: 'before', code: 'OLD' })
    const photo = await upload(service)
    const notes = async () =>
      (await ask('GET', `/api/e/${log}?per_page=100`)).body.data.map(({ data }: any) => data.what) as string[]
    const body = { title: 'printer jammed', code: 'NEW', priority: 3, photo }
    return {
      models: [model, log],
      async act() {
        const send = () => ask('POST', `/api/e/${model}`, body, { 'idempotency-key': 'once' })
        const first = await send()
        const again = await send()
        return async () => {
          expect([first.status, again.status]).toEqual([201, 201])
          expect(again.body.data.id).toBe(first.body.data.id)
          const { data } = (await ask('GET', `/api/e/${model}?sort=id`)).body
          expect(data.map((one: any) => one.data.code)).toEqual(['OLD', 'NEW'])
          expect(data[1]).toMatchObject({
            id: first.body.data.id,
            version: 1,
            data: { ...body, title: 'printer jammed checked' },
          })
          // After hooks run at least once.
          expect(await notes()).toEqual(expect.arrayContaining(['before checked', 'printer jammed checked']))
        }
      },
      interfere: () =>
        ask('POST', `/api/e/${model}`, { title: 'other', code: 'OTHER' }).then(({ body: { data } }) =>
          ask('DELETE', `/api/e/${model}/${data.id}`),
        ),
    }
  },
}
