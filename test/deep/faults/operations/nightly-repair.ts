import { expect } from 'vitest'
import { historyKey } from '../../../../shared/platform/store/keys/history.ts'
import { sequenceKey } from '../../../../shared/platform/store/keys/records.ts'
import { makeTable } from '../../../make/builders/records/tables.ts'
import type { Operation } from '../enumerate-faults.ts'

const tenant = { id: 1 }

/** Repairs a table whose count is wrong and whose records lack history entries. */
export const nightlyRepair: Operation = {
  name: 'nightly repair',
  environment: { REPAIR_AFTER_MS: '0' },
  async prepare({ service, ask, drain, sweep }, n) {
    const { store, cloud } = service
    const model = `things_${n}`
    await makeTable(service, model, [{ name: 'title', type: 'text' }])
    const ids: number[] = []
    for (const title of ['lamp', 'chair', 'desk'])
      ids.push((await ask('POST', `/api/e/${model}`, { title })).body.data.id)
    const [changed = 0, , gone = 0] = ids
    for (const title of ['lantern', 'light']) await ask('PATCH', `/api/e/${model}/${changed}`, { title })
    await ask('DELETE', `/api/e/${model}/${gone}`)
    await drain()
    for (const [id, version] of [
      [changed, 2],
      [gone, 2],
    ] as const)
      await store.write(tenant, { remove: historyKey(tenant, model, id, version) })
    await store.write(tenant, {
      update: sequenceKey(tenant, model),
      change: { expression: 'ADD #live :n', names: { '#live': 'live' }, values: { ':n': n % 2 === 0 ? 3 : -1 } },
    })
    // A repair covers changes before the current millisecond only.
    await new Promise((resolve) => setTimeout(resolve, 2))
    let late = 0
    return {
      models: [model],
      async act() {
        for (let left = 8; ; left -= 1) {
          try {
            await cloud.invoke('nightly-repair')
            break
          } catch (error) {
            if (left === 1) throw error
          }
        }
        await sweep()
        // A record that `interfere` creates during this request may or may not be in its count.
        const before = 2 + late
        const { total } = (await ask('GET', `/api/e/${model}?per_page=1`)).body.meta
        return async () => expect([before, 2 + late]).toContain(total)
      },
      async interfere() {
        late += 1
        await ask(
          'DELETE',
          `/api/e/${model}/${(await ask('POST', `/api/e/${model}`, { title: 'short' })).body.data.id}`,
        )
        await ask('POST', `/api/e/${model}`, { title: 'late' })
      },
    }
  },
}
