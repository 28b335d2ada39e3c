import { expect } from 'vitest'
import { clock } from '../../../../shared/kernel/time/clock.ts'
import { storeMessage } from '../../../../shared/messages/incoming-messages/receive/store-message.ts'
import { makeTable } from '../../../make/builders/records/tables.ts'
import type { Operation } from '../enumerate-faults.ts'

/**
 * A message comes in, and its rules make a client and a request of it, tell somebody, and end another time by return. A
 * reply becomes a comment. Each happens once, whatever fails.
 */
export const runRules: Operation = {
  name: 'rules for messages',
  async prepare({ service, ask }, n) {
    const [model, clients] = [`tickets_${n}`, `clients_${n}`]
    await makeTable(service, clients, [{ name: 'name', type: 'text' }])
    await makeTable(service, model, [
      { name: 'title', type: 'text' },
      { name: 'client_id', type: 'model_list', target_table: clients },
    ])
    const source = (await ask('POST', '/api/sys/inbound-sources', { name: `source ${n}` })).body.data
    const rule = async (name: string, more: object) => {
      const body = { name: `${name} ${n}`, channel: 'all', target_model: model, is_automatic: true, ...more }
      const answer = await ask('POST', '/api/sys/incoming-actions', body)
      if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
      return answer.body.data.id as number
    }
    const condition = { channel_id: source.id }
    const rules = [
      await rule('makes', {
        condition,
        field_mapping: { title: 'payload.title' },
        script: `$data.client_id = $api.create('${clients}', { name: 'Ann' }).id
                 $api.sendPushNotification('Made ${n}', 'x', [$user.id])`,
      }),
      await rule('ends', { condition, script: `$api.sendPushNotification('Ended ${n}', 'x', [$user.id]); return` }),
      await rule('comments', { condition: { from_email: `ann-${n}@example.com` } }),
    ]
    const known = (await ask('POST', `/api/e/${model}`, { title: 'known' })).body.data.id as number
    const total = async (path: string) => (await ask('GET', path)).body.meta.total
    return {
      models: [model, clients],
      async act() {
        const send = () => ask('POST', new URL(source.url).pathname, { title: 'new' }, { 'webhook-id': `m${n}` })
        const sent = [await send(), await send()]
        await storeMessage(
          { store: service.store, clock, putObject: async () => {} },
          { id: 1 },
          {
            channel: 'email',
            channelId: null,
            fromName: 'Ann',
            fromEmail: `ann-${n}@example.com`,
            fromId: null,
            subject: 'Re: known',
            body: 'An answer',
            payload: {},
            attachments: [],
            replyTo: { model, id: known },
            receivedAtMs: clock.now(),
          },
        )
        return async () => {
          expect(sent.map(({ status }) => status)).toEqual([200, 200])
          expect(await total(`/api/e/${model}`)).toBe(2)
          expect(await total(`/api/e/${clients}`)).toBe(1)
          expect(await total(`/api/e/${model}/${known}/comments`)).toBe(1)
          const bell = (await ask('GET', '/api/notifications?per_page=1000')).body.data
          for (const title of [`Made ${n}`, `Ended ${n}`])
            expect(bell.filter((one: any) => one.title === title)).toHaveLength(1)
          const { data } = (await ask('GET', '/api/sys/incoming_messages?per_page=1000')).body
          const message = data.find((one: any) => one.channel_id === source.id)
          expect(message).toMatchObject({ is_processed: true, is_waiting: false, errors: [] })
          expect(message.records).toMatchObject([{ model, action_id: rules[0] }])
          for (const id of rules) await ask('DELETE', `/api/sys/incoming-actions/${id}`)
          await ask('DELETE', `/api/sys/inbound-sources/${source.id}`)
        }
      },
    }
  },
}
