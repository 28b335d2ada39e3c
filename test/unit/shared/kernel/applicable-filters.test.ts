import { describe, expect, it } from 'vitest'
import type { FieldLimits, Grant, RowRule } from '../../../../shared/kernel/permissions.ts'
import { applicableFilters, permittedFields } from '../../../../shared/kernel/permissions.ts'

const rule = (filter: object, action: RowRule['action'] = 'read', table = 'requests'): RowRule => ({
  table,
  action,
  filter: { ...filter },
})
const [own, open] = [{ created_by: '$CURRENT_USER' }, { status: 'open' }]
const role = (permissions: string[], ...rules: RowRule[]): Grant => ({ permissions, rules, fields: {} })
const reading = (...grants: Grant[]) => applicableFilters({ isAdministrator: false, grants }, 'requests', 'read')

describe('row rules', () => {
  it.each<[string, readonly Grant[], readonly object[] | undefined]>([
    ['nothing limits a permission without a rule', [role(['requests.read'])], undefined],
    ['one rule limits it', [role(['requests.read'], rule(own))], [own]],
    ['several rules of a role: any suffices', [role(['requests.*'], rule(own), rule(open))], [own, open]],
    [
      'several roles: any rule suffices',
      [role(['requests.read'], rule(own)), role(['*.read'], rule(open))],
      [own, open],
    ],
    [
      'a role that grants without a rule lifts the limits',
      [role(['requests.read'], rule(own)), role(['*'])],
      undefined,
    ],
    [
      'a role that grants something else does not lift the limits',
      [role(['requests.read'], rule(own)), role(['requests.update', 'clients.read'])],
      [own],
    ],
    [
      'rules of a role that does not grant do not widen',
      [role(['requests.read'], rule(own)), role(['requests.update'], rule(open))],
      [own],
    ],
    [
      'rules of other tables and actions do not apply',
      [role(['*'], rule(own, 'update'), rule(open, 'read', 'clients'))],
      undefined,
    ],
    [
      'where no role grants, every rule applies',
      [role(['requests.update'], rule(own)), role(['requests.create'])],
      [own],
    ],
    ['without roles no rule applies: the permission decides', [], undefined],
  ])('%s', (_, grants, filters) => expect(reading(...grants)).toEqual(filters))

  it('do not apply to administrators', () =>
    expect(
      applicableFilters({ isAdministrator: true, grants: [role(['*'], rule(own))] }, 'requests', 'read'),
    ).toBeUndefined())
})

describe('field rules', () => {
  const limited = (permissions: string[], limits?: FieldLimits): Grant => ({
    permissions,
    rules: [],
    fields: limits ? { requests: limits } : {},
  })
  const fieldsOf = (action: 'read' | 'create' | 'update', ...grants: Grant[]) => {
    const fields = permittedFields({ isAdministrator: false, grants }, 'requests', action)
    return fields && [...fields].sort()
  }
  const readTitle = limited(['requests.*'], { read: ['title'] })

  it.each<[string, 'read' | 'create' | 'update', readonly Grant[], readonly string[] | undefined]>([
    ['a role without a rule for the table sees everything', 'read', [limited(['requests.read'])], undefined],
    ['a rule limits reads', 'read', [readTitle], ['title']],
    ['without `write` only what is read is written', 'update', [readTitle], ['title']],
    ['`write` limits writes', 'create', [limited(['*'], { read: ['a', 'b'], write: ['b'] })], ['b']],
    ['`write` alone leaves reads alone', 'read', [limited(['*'], { write: ['b'] })], undefined],
    ['several roles: their union', 'read', [readTitle, limited(['*.read'], { read: ['note'] })], ['note', 'title']],
    ['a role that grants the action without a rule lifts the limits', 'read', [readTitle, limited(['*'])], undefined],
    ['a role that grants another table does not', 'read', [readTitle, limited(['bills.read'])], ['title']],
    ['a role that only reads lifts no limit on writes', 'update', [readTitle, limited(['requests.read'])], ['title']],
    ['an empty list leaves nothing', 'read', [limited(['*'], { read: [] })], []],
  ])('%s', (_, action, grants, expected) => expect(fieldsOf(action, ...grants)).toEqual(expected))

  it('do not limit administrators', () =>
    expect(permittedFields({ isAdministrator: true, grants: [readTitle] }, 'requests', 'read')).toBeUndefined())

  it('of a table named like a member of every object are none', () =>
    expect(permittedFields({ isAdministrator: false, grants: [readTitle] }, 'constructor', 'read')).toBeUndefined())
})
