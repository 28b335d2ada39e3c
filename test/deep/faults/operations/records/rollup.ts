import { expect } from 'vitest'
import { makeTable } from '../../../../make/builders/records/tables.ts'
import type { Operation } from '../../enumerate-faults.ts'

/** Changes, moves and removes what is rolled up: afterwards each rollup is what its records come to, whatever failed. */
export const rollup: Operation = {
  name: 'rollup',
  // Faults of the requests themselves are those of create, update and remove.
  among: /^(RollupKeeper|FanOut)/,
  async prepare({ service, ask }, n) {
    const [clients, orders] = [`clients_${n}`, `orders_${n}`]
    await makeTable(service, clients, [{ name: 'name', type: 'text' }])
    await makeTable(service, orders, [
      { name: 'client_id', type: 'model_list', target_table: clients },
      { name: 'amount', type: 'decimal' },
    ])
    const total = { name: 'total', type: 'rollup', table: orders, field: 'client_id', aggregate: 'sum', of: 'amount' }
    const count = { name: 'orders', type: 'rollup', table: orders, field: 'client_id', aggregate: 'count' }
    const made = await ask('PUT', `/api/sys/entities/name/${clients}`, {
      table_fields: [{ name: 'name', type: 'text' }, total, count],
    })
    expect(made.status).toBe(200)
    const make = async (model: string, data: object): Promise<number> =>
      (await ask('POST', `/api/e/${model}`, data)).body.data.id
    const [ada, bob] = [await make(clients, { name: 'Ada' }), await make(clients, { name: 'Bob' })]
    const order = (client_id: number, amount: string) => make(orders, { client_id, amount })
    const [changed, moved, removed] = [await order(ada, '0.10'), await order(ada, '0.20'), await order(bob, '5')]
    await service.cloud.idle()
    const rolledUp = async (id: number) => (await ask('GET', `/api/e/${clients}/${id}`)).body.data.data
    return {
      models: [clients, orders],
      async act() {
        await ask('PATCH', `/api/e/${orders}/${changed}`, { amount: '0.30' })
        await ask('PATCH', `/api/e/${orders}/${moved}`, { client_id: bob })
        await ask('DELETE', `/api/e/${orders}/${removed}`)
        return async () => {
          await service.cloud.idle()
          expect(await rolledUp(ada)).toMatchObject({ total: '0.30', orders: 1 })
          expect(await rolledUp(bob)).toMatchObject({ total: '0.20', orders: 1 })
        }
      },
    }
  },
}
