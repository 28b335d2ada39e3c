import { afterAll, beforeAll, expect, it } from 'vitest'
import { readGuides } from '../../../functions/api/api-docs/guides.ts'
import { type DemoService, startSeeded } from '../../make/services/demo-service.ts'
import { wrongSamples } from './guide-samples.ts'

/* The tutorial, from an empty company to an answered mail, as somebody follows it who copies every block. */

let service: DemoService
beforeAll(async () => {
  service = await startSeeded('none')
})
afterAll(() => service?.stop())

const get = async (path: string): Promise<any> => {
  const token = await service.signIn('admin@example.com')
  return (await service.api('GET', path, { token })).body.data
}

it('answers what it shows, and leaves an answered ticket and an approved order', async () => {
  const { text } = (await readGuides()).find(({ name }) => name === 'service-desk') ?? { text: '' }
  const settled = () => service.cloud.idle()
  // The reader saves the process as a file.
  const copied = text.replace(/^```xml\n([^]*?)^```$/m, "```sh\ncat > order.bpmn <<'END'\n$1END\n```")
  expect(await wrongSamples(copied, { url: service.url, settled })).toEqual([])

  expect((await get('/api/e/tickets/1/comments')).map(({ body, is_internal }: any) => [body, is_internal])).toEqual([
    ['Yes, the one by the door.', false],
    ['Is it the lamp by the door?', false],
    ['The third lamp there this year.', true],
  ])
  expect((await get('/api/e/tickets')).map(({ data }: any) => [data.kind, data.status])).toEqual([
    ['order', 'in_progress'],
    ['fault', 'resolved'],
  ])
  const mails = service.cloud.outbox.list({ type: 'mail', to: 'cleo@northwind.example' })
  expect(mails.map(({ subject }) => subject)).toEqual([
    'Ticket 2: I need a second monitor',
    'Re: The lamp in room 7 flickers',
    'Ticket 1: The lamp in room 7 flickers',
  ])
}, 240_000)
