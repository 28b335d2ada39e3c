import { assert, constantFrom, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mayOnTable } from '../../../../shared/kernel/permissions.ts'

const holding = (...permissions: string[]) => ({ isAdministrator: false, permissions })

describe('a permission', () => {
  it.each([
    ['requests.read', true],
    ['requests.*', true],
    ['*.read', true],
    ['*', true],
    ['requests.update', false],
    ['clients.read', false],
    ['clients.*', false],
    ['*.update', false],
    ['request.read', false],
    ['requests', false],
    ['requests.read.all', false],
  ])('%s allows reading requests: %s', (permission, allowed) => {
    expect(mayOnTable(holding(permission), 'requests', 'read')).toBe(allowed)
  })

  it.each([
    ['requests.comment', true],
    ['requests.update', true],
    ['*.update', true],
    ['requests.read', false],
    ['requests.delete', false],
    ['clients.update', false],
  ])('%s allows commenting on requests: %s', (permission, allowed) => {
    expect(mayOnTable(holding(permission), 'requests', 'comment')).toBe(allowed)
  })

  it.each([
    ['requests.comment_internal', true],
    ['requests.*', true],
    ['*.comment_internal', true],
    ['*', true],
    ['requests.update', false],
    ['*.update', false],
    ['requests.comment', false],
    ['*.comment', false],
    ['requests.read', false],
    ['clients.comment_internal', false],
    ['clients.*', false],
  ])('%s allows internal comments on requests: %s', (permission, allowed) => {
    expect(mayOnTable(holding(permission), 'requests', 'comment_internal')).toBe(allowed)
  })

  it('to comment internally allows nothing else', () => {
    for (const action of ['read', 'create', 'update', 'delete', 'comment'] as const)
      expect(mayOnTable(holding('requests.comment_internal'), 'requests', action)).toBe(false)
  })

  it('to comment allows nothing else', () => {
    for (const action of ['read', 'create', 'update', 'delete'] as const)
      expect(mayOnTable(holding('requests.comment'), 'requests', action)).toBe(false)
  })

  it('is not required of administrators, and nothing is allowed to others without one', () => {
    expect(mayOnTable({ isAdministrator: true, permissions: [] }, 'requests', 'delete')).toBe(true)
    expect(mayOnTable(holding(), 'requests', 'read')).toBe(false)
  })

  it('for one table and action allows exactly that', () => {
    const table = constantFrom('requests', 'clients', 'sys_companies')
    const action = constantFrom('read', 'create', 'update', 'delete')
    assert(
      property(table, action, table, action, (heldTable, heldAction, askedTable, askedAction) => {
        const allowed = mayOnTable(holding(`${heldTable}.${heldAction}`), askedTable, askedAction)
        return allowed === (heldTable === askedTable && heldAction === askedAction)
      }),
    )
  })
})
