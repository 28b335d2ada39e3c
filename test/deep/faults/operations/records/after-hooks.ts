import { expect } from 'vitest'
import { setHooks } from '../../../../make/builders/records/hooks.ts'
import { makeTable } from '../../../../make/builders/records/tables.ts'
import type { Operation } from '../../enumerate-faults.ts'

/** A crash prevents the hooks; the sweeper runs them. Their notification must be stored once. */
export const afterHooks: Operation = {
  name: 'retry of pending after hooks',
  async prepare({ service, ask, api, sweep }, n) {
    const [model, log] = [`tickets_${n}`, `notes_${n}`]
    await makeTable(service, log, [{ name: 'what', type: 'text' }])
    await makeTable(service, model, [{ name: 'title', type: 'text' }])
    await setHooks(service, model, [
      [
        'after_update',
        `$api.create('${log}', { what: $context.run_id }); $api.sendPushNotification('Done', $data.title, [$user.id])`,
      ],
    ])
    const { id } = (await ask('POST', `/api/e/${model}`, { title: 'one' })).body.data
    const records = service.cloud.functions.find((name) => /records/i.test(name)) as string
    service.cloud.faults.inject({ functionName: records, operation: 'PutItem', action: 'crash-after' })
    expect((await api('PATCH', `/api/e/${model}/${id}`, { title: `title ${n}` })).status).toBe(500)
    const notifications = async () => {
      await service.cloud.idle()
      return (
        await service.store.query({ id: 1 }, { pk: `T#1#BELL#${service.admin.userId}`, reverse: true })
      ).items.filter((item) => JSON.stringify(item).includes(`title ${n}"`))
    }
    return {
      models: [model, log],
      async act() {
        await sweep()
        return async () => {
          const notes = (await ask('GET', `/api/e/${log}`)).body.data.map(({ data }: any) => data.what)
          expect(notes.length).toBeGreaterThan(0)
          expect(new Set(notes).size).toBe(1)
          expect(await notifications()).toHaveLength(1)
        }
      },
    }
  },
}
