import { expect } from 'vitest'
import type { Operation } from '../enumerate-faults.ts'

/** Another system sends a request, and repeats it until it is answered. One message must come of it. */
export const receiveRequest: Operation = {
  name: 'request of an inbound source',
  async prepare({ service, ask }, n) {
    const { url } = (await ask('POST', '/api/sys/inbound-sources', { name: `source ${n}` })).body.data
    const path = new URL(url).pathname
    const payload = { n, rows: Array.from({ length: 40 }, (_, row) => `row ${row}`) }
    return {
      models: [],
      async act() {
        const send = () => ask('POST', path, payload, { 'webhook-id': `message-${n}` })
        const [first, again] = [await send(), await send()]
        return async () => {
          expect([first.status, again.status]).toEqual([200, 200])
          const { data } = (await service.api('GET', '/api/sys/incoming_messages?per_page=1000', service.admin)).body
          expect(data.filter((one: any) => one.payload.n === n)).toMatchObject([{ channel: 'api', payload }])
        }
      },
      interfere: () => ask('POST', path, { other: n }),
    }
  },
}
