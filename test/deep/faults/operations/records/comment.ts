import { expect } from 'vitest'
import { makeTable } from '../../../../make/builders/records/tables.ts'
import { upload } from '../../../../make/builders/records/uploads.ts'
import type { Operation } from '../../enumerate-faults.ts'

/** Comments on a record under an Idempotency-Key, with a file and a mention, then makes the comment internal. */
export const comment: Operation = {
  name: 'comment',
  async prepare({ service, ask }, n) {
    const model = `tickets_${n}`
    await makeTable(service, model, [{ name: 'title', type: 'text' }])
    const { id } = (await ask('POST', `/api/e/${model}`, { title: 'Printer' })).body.data
    const body = { body: `See @[${service.admin.userId}]`, attachments: [await upload(service)] }
    const path = `/api/e/${model}/${id}/comments`
    return {
      models: [model],
      async act() {
        const send = () => ask('POST', path, body, { 'idempotency-key': `comment-${n}` })
        const [first, again] = [await send(), await send()]
        const change = { is_internal: true, attachments: [] }
        const { status } = await ask('PUT', `${path}/${first.body.data.id}`, change)
        return async () => {
          expect([first.status, again.status, again.body.data.id, status]).toEqual([201, 201, first.body.data.id, 200])
          const { data, meta } = (await ask('GET', path)).body
          const mine = data.filter((one: any) => one.id === first.body.data.id)
          expect([mine.length, meta.total]).toEqual([1, data.length])
          expect(mine[0]).toMatchObject({ body: body.body, is_internal: true, attachments: [] })
        }
      },
      interfere: () => ask('POST', path, { body: 'Meanwhile' }),
    }
  },
}
