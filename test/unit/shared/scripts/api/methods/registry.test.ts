import { describe, expect, it } from 'vitest'
import { declareTypes } from '../../../../../../shared/scripts/api/declare-types.ts'
import type { MethodAccess } from '../../../../../../shared/scripts/api/methods/method.ts'
import { apiMethods, methodGroups } from '../../../../../../shared/scripts/api/methods/registry.ts'
import { scriptApi } from '../../../../../../shared/scripts/api/script-api.ts'

const methods = methodGroups.flat()
const declared = declareTypes([], undefined)

/** Ports that answer nothing and note what is called. */
function ports() {
  const called: string[] = []
  const port = (name: string): never =>
    new Proxy(
      {},
      {
        get: (_, member) => async () => void called.push(`${name}.${String(member)}`),
      },
    ) as never
  const source = { tenant: { id: 1, generation: 1 }, model: 'requests', recordId: 1, runId: 'r' }
  const access: Omit<MethodAccess, 'report' | 'next'> = {
    records: port('records'),
    notifications: port('notifications'),
    botStates: port('botStates'),
    source: source as never,
  }
  return { access, called }
}

describe('the registry of $api methods', () => {
  it('names each method once', () => {
    const names = methods.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
  })

  it.each(methods)('declares $name to editors by its last name', ({ name, declaration }) => {
    expect(declaration).toMatch(new RegExp(`(?:^|\\s)${name.split('.').at(-1)}(?:[(<:])`))
    expect(declared).toContain(declaration)
  })

  it('refuses a method that writes in a before hook, and only there', async () => {
    for (const [name, { writes }] of apiMethods) {
      const { access, called } = ports()
      const refused = await scriptApi({ ...access, mayWrite: false })
        .call(name, [])
        .catch((error: Error) => error.message)
      const isRefused = String(refused).includes('may not be used in a before hook')
      expect([name, isRefused]).toEqual([name, writes === true])
      expect(called.filter((port) => !port.startsWith('notifications'))).toEqual([])
    }
  })

  it('reads arguments before it reaches anything but the notifications, which read theirs', async () => {
    for (const [name, { call }] of apiMethods) {
      const { access, called } = ports()
      const full = { ...access, report: () => {}, next: () => 1 }
      const failed = await call(full, [{ not: 'an argument' }]).then(
        () => '',
        (error: Error) => error.message,
      )
      expect([name, called.join()]).toEqual([name, failed === '' ? 'notifications.ask' : ''])
      expect(failed).toMatch(/^$|^\$api\.[\w.]+\(.*\): .+\.$/)
    }
  })
})
