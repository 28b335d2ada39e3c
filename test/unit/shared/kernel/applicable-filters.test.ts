import { describe, expect, it } from 'vitest'
import type { Grant, RowRule } from '../../../../shared/kernel/permissions.ts'
import { applicableFilters } from '../../../../shared/kernel/permissions.ts'

const rule = (filter: object, action: RowRule['action'] = 'read', table = 'requests'): RowRule => ({
  table,
  action,
  filter: { ...filter },
})
const [own, open] = [{ created_by: '$CURRENT_USER' }, { status: 'open' }]
const role = (permissions: string[], ...rules: RowRule[]): Grant => ({ permissions, rules })
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
