import { expect, it } from 'vitest'
import { mayUseResource } from '../../../../../shared/kernel/runtime/environment.ts'
import { onlyOwners } from '../../../../../shared/messages/senders/only-owners.ts'

const owners = new Map([['orders', 'acme']])

it.each([
  ['single', undefined, 'orders', 'acme', true],
  ['saas', undefined, 'orders', 'acme', false],
  ['single', owners, 'orders', 'acme', true],
  ['single', owners, 'others', 'acme', false],
  ['saas', owners, 'orders', 'acme', true],
  ['saas', owners, 'orders', 'globex', false],
  ['saas', owners, 'Orders', 'acme', false],
] as const)('in %s mode, with %o, %s of %s may be used: %s', (mode, named, name, slug, allowed) => {
  expect(mayUseResource(mode, named, name, slug)).toBe(allowed)
})

it('refuses messages through what belongs to somebody else, and sends the others', async () => {
  const sent: string[] = []
  const sender = onlyOwners<'stream'>(
    {
      async send({ id }) {
        sent.push(id)
        return { kind: 'delivered' }
      },
    },
    (slug, { config }) => (config.stream_name === slug ? undefined : `${config.stream_name} is not of ${slug}.`),
  )
  const channel = (stream_name: string) => ({
    id: 1,
    name: 'c',
    config: { provider: 'kinesis' as const, stream_name },
    signingSecrets: [],
  })
  const message = (id: string) => ({
    id,
    tenant: { id: 1, slug: 'acme' },
    recipient: '',
    createdAt: '2026-11-20T08:00:00.000Z',
    body: '1',
  })
  expect(await sender.send(message('a'), channel('acme'))).toEqual({ kind: 'delivered' })
  expect(await sender.send(message('b'), channel('globex'))).toEqual({
    kind: 'refused',
    by: 'service',
    error: 'globex is not of acme.',
  })
  expect(sent).toEqual(['a'])
})
