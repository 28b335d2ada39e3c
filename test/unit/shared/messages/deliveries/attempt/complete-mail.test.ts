import { expect, it } from 'vitest'
import { completeMail } from '../../../../../../shared/messages/deliveries/attempt/complete-mail.ts'

const tenant = { id: 1, slug: 'acme', name: 'Acme' } as never
const path = 'files/1/o2Yx0c7WQm1kT9vJ4pLhZr8N/manual.txt'
const said = { body: '<p>See it.</p>', text: 'See it.' }
const source = { model: 'requests', record_id: 5, comment_id: 7 }

/** A store with the rows of a file, and nothing else. `config`: the company is in Berlin. */
const services = (rows: readonly object[], bodies: readonly (object | undefined)[] = []) =>
  ({
    store: {
      query: async () => ({ items: rows }),
      getMany: async (_: unknown, keys: readonly unknown[]) =>
        keys.length === 2 ? bodies : [{ pk: 'r', sk: 'r', id: 5, version: 1 }],
    },
    config: { get: async () => 'Europe/Berlin' },
    objects: { fetchObject: async () => Buffer.from('bytes') },
  }) as never

it('names a file that its comment does not hold any more, in the language of the reader', async () => {
  const file = { kind: 'file', sk: 'FILE', pk: 'T#1#FILE#o2Yx0c7WQm1kT9vJ4pLhZr8N', path, name: 'manual.txt' }
  for (const rows of [[], [file]]) {
    const mail = await completeMail(services(rows), tenant, { source, locale: 'de-AT' }, { ...said, files: [path] })
    expect(mail.text).toBe('[Nicht angehängt, weil es entfernt wurde: manual.txt]\n\nSee it.')
    expect(mail.body).toBe('<p>[Nicht angehängt, weil es entfernt wurde: manual.txt]</p>\n<p>See it.</p>')
    expect(mail.files).toBe(undefined)
  }
})

it('quotes nothing of a mail that is gone', async () => {
  const mail = await completeMail(
    services([], [undefined, undefined]),
    tenant,
    { source, locale: null },
    { ...said, quotes: 3 },
  )
  expect(mail).toEqual(said)
})
