import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { genericDocument, genericTypesPath, markLine } from '../../../infra/client-types/generic-document.ts'
import { onlyBelow } from '../../../infra/client-types/only-below.ts'
import { onlySuccesses } from '../../../infra/client-types/only-successes.ts'

const document = genericDocument()

describe('the types of the client', () => {
  it('are those of the routes as they are now: if this fails, run `npm run client`', async () => {
    const [mark] = (await readFile(genericTypesPath, 'utf8')).split('\n', 1)
    expect(mark).toBe(markLine(onlySuccesses(document)))
  })

  it('get another mark when a schema changes', () => {
    const changed = { ...document.components.schemas, EntityRecord: { type: 'object' } }
    expect(markLine({ ...document, components: { ...document.components, schemas: changed } })).not.toBe(
      markLine(document),
    )
  })

  it('have no failures and no examples, which name the address of a service', () => {
    const { paths, components } = onlySuccesses(document)
    expect(Object.keys(paths['/api/e/{model}']?.post?.responses ?? {})).toEqual(['201'])
    expect(components.schemas.Failure).toBeUndefined()
    expect(JSON.stringify(paths)).not.toContain('"example":{')
  })

  it('can be limited to addresses that begin with a prefix', () => {
    const { paths, components } = onlyBelow(onlySuccesses(document), '/api/e/')
    expect(Object.keys(paths)).toContain('/api/e/{model}')
    expect(Object.keys(paths).filter((path) => !path.startsWith('/api/e/'))).toEqual([])
    expect(Object.keys(components.schemas)).toContain('EntityRecord')
    expect(Object.keys(components.schemas)).not.toContain('LoginAnswer')
    expect(() => onlyBelow(document, '/nowhere')).toThrow('There is no address that begins with /nowhere.')
  })
})
