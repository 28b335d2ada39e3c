import { expect } from 'vitest'
import { setHooks } from '../../../../make/builders/records/hooks.ts'
import { makeTable } from '../../../../make/builders/records/tables.ts'
import { upload } from '../../../../make/builders/records/uploads.ts'
import type { Operation } from '../../enumerate-faults.ts'

/** Changes a unique value, a file, words and a counted value, while another client changes another field. */
export const update: Operation = {
  name: 'update',
  async prepare({ service, ask }, n) {
    const model = `tickets_${n}`
    await makeTable(service, model, [
      { name: 'title', type: 'text' },
      { name: 'code', type: 'text', unique: true },
      { name: 'urgent', type: 'boolean' },
      { name: 'photos', type: 'file', multiple: true },
      { name: 'note', type: 'textarea' },
    ])
    await setHooks(service, model, [['before_update', "$data.title = $data.title.replace('jammed', 'repaired')"]])
    const [kept, dropped, added] = [await upload(service), await upload(service), await upload(service)]
    const { id } = (
      await ask('POST', `/api/e/${model}`, {
        title: 'printer jammed',
        code: 'A',
        urgent: true,
        photos: [kept, dropped],
      })
    ).body.data
    const address = `/api/e/${model}/${id}`
    let noted = 0
    return {
      models: [model],
      async act() {
        const answer = await ask('PATCH', address, {
          title: 'scanner jammed',
          code: 'B',
          urgent: false,
          photos: [kept, added],
        })
        return async () => {
          expect(answer.status).toBe(200)
          const { version, data } = (await ask('GET', address)).body.data
          expect(data).toEqual({
            title: 'scanner repaired',
            code: 'B',
            urgent: false,
            photos: [kept, added],
            ...(noted > 0 && { note: `note ${noted}` }),
          })
          expect(version).toBe(2 + noted)
        }
      },
      async interfere() {
        const { status } = await ask('PATCH', address, { note: `note ${noted + 1}` })
        expect(status).toBe(200)
        noted += 1
      },
    }
  },
}
