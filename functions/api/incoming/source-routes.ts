import * as z from 'zod'
import {
  SourceAnswer,
  SourceChange,
  SourceInput,
  SourceWithToken,
} from '../../../shared/messages/inbound-sources/schema.ts'
import { exampleTimes } from '../../../shared/platform/configured-objects/schema.ts'
import { idOf } from '../../../shared/platform/http/routing/input/path-params.ts'
import { objectRoutes } from '../../../shared/platform/http/routing/object-routes.ts'

const hmac = { scheme: 'header' as const, header: 'x-hub-signature-256', prefix: 'sha256=' }
const source = {
  id: 1,
  name: 'Monitoring',
  is_active: true,
  hmac: { ...hmac, algorithm: 'sha256', encoding: 'hex', secret: '********' },
  ...exampleTimes,
  version: 1,
}
const token = 'mJ0cVxE2yqS1wA8tQ4rN7uB3kH6gD9fL5zX0pY2oI1s'

export const sourceRoutes = objectRoutes({
  path: '/api/sys/inbound-sources',
  tag: 'Inbound sources',
  called: { one: 'inbound source', many: 'inbound sources' },
  answer: SourceAnswer,
  input: SourceInput,
  change: SourceChange,
  params: z.object({ id: idOf('source') }),
  neverWarns: true,
  says: {
    list: { summary: 'List the systems that may send messages in', description: undefined },
    create: {
      summary: 'Let another system send messages in',
      description: 'The answer holds the token and the address to send to. Keep them: they are not answered again.',
      answer: SourceWithToken,
    },
    change: {
      description: 'What is left out stays. With `new_token` the answer holds a new token, and the one before ends.',
      answer: SourceWithToken.partial({ token: true, url: true }),
    },
    remove: { description: 'Its address ends at once; its messages stay.' },
  },
  examples: {
    create: {
      body: { name: 'Web shop', hmac: { ...hmac, secret: 'a-long-shared-secret' } },
      answer: { ...source, id: 2, name: 'Web shop', token, url: `https://api.example.com/api/in/${token}` },
    },
    stored: source,
    change: { is_active: false },
  },
})
