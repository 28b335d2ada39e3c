import { describe, expect, it } from 'vitest'
import type { Tenant } from '../../../../shared/kernel/tenancy.ts'
import { createConfig } from '../../../../shared/store/config.ts'
import type { Store } from '../../../../shared/store/store.ts'

const tenant = { id: 1, configVersion: 1 } as Tenant
const read = ({ name }: { name: string }) => name

/** A store that has the rows of `names`, and counts the reads of each. */
function storeOf(names: readonly string[]) {
  const reads: string[] = []
  const get = async (_tenant: unknown, { sk }: { sk: string }) => {
    const name = sk.slice(sk.indexOf('#') + 1)
    reads.push(name)
    return names.includes(name) ? { name, version: 1, doc: '{}' } : undefined
  }
  return { config: createConfig({ get } as unknown as Store, { uuid: () => 'u' }), reads }
}

describe('the configuration cache', () => {
  it('keeps what exists, and what does not exist while few such names are asked for', async () => {
    const { config, reads } = storeOf(['known'])
    for (let time = 0; time < 3; time += 1)
      for (const name of ['known', 'unknown']) await config.get(tenant, 'TABLE', name, read)
    expect(reads).toEqual(['known', 'unknown'])
  })

  it('forgets unknown names when there are many, and no known one', async () => {
    const { config, reads } = storeOf(['known'])
    const ask = (name: string) => config.get(tenant, 'TABLE', name, read)
    await ask('known')
    for (let n = 0; n < 1000; n += 1) await ask(`unknown${n}`)
    await ask('unknown0')
    await ask('unknown999')
    await ask('known')
    expect(reads.filter((name) => name === 'known')).toHaveLength(1)
    expect(reads.filter((name) => name === 'unknown0')).toHaveLength(2)
    expect(reads.filter((name) => name === 'unknown999')).toHaveLength(1)
  })

  it('keeps no long unknown name', async () => {
    const { config, reads } = storeOf([])
    for (let time = 0; time < 2; time += 1) await config.get(tenant, 'TABLE', 'x'.repeat(9000), read)
    expect(reads).toHaveLength(2)
  })
})
